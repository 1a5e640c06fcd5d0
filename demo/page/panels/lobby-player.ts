/** One player's seat: who sits there, what went wrong, and the lobby they are in. */
import type { DemoContext, Mount } from '../context'
import type { PlayerSlot } from '../game/player-slot'
import { h } from '../ui/dom'
import { failureCard } from '../ui/failure'
import { icon } from '../ui/icons'
import { nameOf } from '../ui/lobby-names'
import { panel } from '../ui/panel'
import { playerFace } from '../ui/player'
import { mountRoom } from './lobby-room'

export function mountSeat(index: 0 | 1, title: string): Mount {
  return (element, context) => {
    const seat = context.workbench.seats[index]
    const { body } = panel(element, title)
    const head = h('div', { class: 'seat-head' })
    const status = h('p', { class: 'hint seat-status', role: 'status' })
    const failure = h('div', { class: 'failure-slot', role: 'alert' })
    const room = h('div', { class: 'room' })
    body.append(head, status, failure, room)
    mountRoom(room, { seat, context, prefix: `seat-${index}` })
    const showHead = () => head.replaceChildren(...(seat.session.value ? seated(seat) : emptySeat(index, context)))
    let shown: string | undefined
    seat.session.watch((session) => {
      if (session?.userId !== shown || !head.hasChildNodes()) showHead()
      shown = session?.userId
      room.hidden = !session
    })
    context.service.onChange(showHead)
    seat.doing.watch((words) => (status.textContent = words && `${words} …`))
    seat.delayed.onChange((event) => {
      if (event && event.wait >= 1000) status.textContent = `Waiting ${Math.ceil(event.wait / 1000)} s for the limit ${event.bucket}.`
    })
    seat.failure.watch((error) => failure.replaceChildren(...(error === undefined ? [] : [failureCard(error)])))
  }
}

function seated(seat: PlayerSlot): HTMLElement[] {
  const session = seat.session.value
  if (!session) return []
  const player = { ...session, held: true }
  return [
    h('div', { class: 'player' }, [
      playerFace(player),
      h('div', { class: 'player-words' }, [
        h('p', { class: 'player-name' }, [nameOf(player)]),
        h('p', { class: 'hint' }, [session.storage === 'store' ? 'A reload finds them here again.' : 'A reload finds the seat empty.']),
      ]),
      h('button', { type: 'button', class: 'secondary', onclick: () => void seat.signOut() }, ['Stand up']),
    ]),
  ]
}

/** With the emulator one click is enough; any other service shows its own page. */
function emptySeat(index: number, { workbench, preset, stage }: DemoContext): HTMLElement[] {
  const seat = workbench.seats[index]
  const backstage = stage()
  if (!preset || !backstage) {
    return [
      h('p', { class: 'empty' }, ['Nobody sits here.']),
      h('button', { type: 'button', class: 'secondary', onclick: () => void seat?.sit() }, [icon('door'), 'Sign in']),
    ]
  }
  const select = h(
    'select',
    { id: `seat-${index}-player` },
    preset.players.map(({ id, name }, place) => h('option', { value: id, selected: place === index }, [name])),
  )
  return [
    h('div', { class: 'field' }, [
      h('label', { for: `seat-${index}-player` }, ['Who sits here']),
      h('div', { class: 'inline' }, [
        select,
        h('button', { type: 'button', class: 'secondary sit', onclick: () => void seat?.sit(backstage.surfaceFor(select.value)) }, [
          icon('door'),
          'Sit down',
        ]),
      ]),
      h('p', { class: 'hint' }, ['Signed in for real: consent, code, PKCE and ID token. The emulator presses Approve.']),
    ]),
  ]
}
