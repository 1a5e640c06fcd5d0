/** Panel of one player: name, last error, and the lobby that the player is in. */
import { onChange } from '../on-change'
import type { DemoContext, Mount } from '../panel-context'
import type { PlayerSlot } from '../game/lobby-player'
import { h } from '../ui/create-element'
import { failureCard } from '../ui/error-card'
import { icon } from '../ui/icons'
import { nameOf } from '../ui/player-names'
import { panel } from '../ui/panel'
import { playerFace } from '../ui/player-name-and-avatar'
import { mountLobbyView } from './joined-lobby-panel'

export function mountPlayer(index: 0 | 1, title: string): Mount {
  return (element, context) => {
    const slot = context.workbench.slots[index]
    const { body } = panel(element, title)
    const head = h('div', { class: 'slot-head' })
    const status = h('p', { class: 'hint slot-status', role: 'status' })
    const failure = h('div', { class: 'failure-slot', role: 'alert' })
    const room = h('div', { class: 'room' })
    body.append(head, status, failure, room)
    mountLobbyView(room, { slot, context, prefix: `slot-${index}` })
    const showHead = () => head.replaceChildren(...(slot.session.value ? signedInHead(slot) : signInForm(index, context)))
    let shown: string | undefined
    slot.session.subscribe((session) => {
      if (session?.userId !== shown || !head.hasChildNodes()) showHead()
      shown = session?.userId
      room.hidden = !session
    })
    onChange(context.service, showHead)
    slot.doing.subscribe((words) => (status.textContent = words && `${words} …`))
    onChange(slot.delayed, (event) => {
      if (event && event.wait >= 1000) status.textContent = `Waiting ${Math.ceil(event.wait / 1000)} s for the limit ${event.bucket}.`
    })
    slot.failure.subscribe((error) => failure.replaceChildren(...(error === undefined ? [] : [failureCard(error)])))
  }
}

function signedInHead(slot: PlayerSlot): HTMLElement[] {
  const session = slot.session.value
  if (!session) return []
  const player = { ...session, held: true }
  return [
    h('div', { class: 'player' }, [
      playerFace(player),
      h('div', { class: 'player-words' }, [
        h('p', { class: 'player-name' }, [nameOf(player)]),
        h('p', { class: 'hint' }, [session.storage === 'store' ? 'Signed in again after a reload.' : 'Signed out after a reload.']),
      ]),
      h('button', { type: 'button', class: 'secondary', onclick: () => void slot.signOut() }, ['Sign out']),
    ]),
  ]
}

/** Sign-in form of a slot. With the emulator one click is enough; any other service shows its own page. */
function signInForm(index: number, { workbench, preset, faultControls }: DemoContext): HTMLElement[] {
  const slot = workbench.slots[index]
  const controls = faultControls()
  if (!preset || !controls) {
    return [
      h('p', { class: 'empty' }, ['Nobody is signed in.']),
      h('button', { type: 'button', class: 'secondary', onclick: () => void slot?.signIn() }, [icon('entrance'), 'Sign in']),
    ]
  }
  const select = h(
    'select',
    { id: `slot-${index}-player` },
    preset.players.map(({ id, name }, place) => h('option', { value: id, selected: place === index }, [name])),
  )
  return [
    h('div', { class: 'field' }, [
      h('label', { for: `slot-${index}-player` }, ['Player']),
      h('div', { class: 'inline' }, [
        select,
        h('button', { type: 'button', class: 'secondary sit', onclick: () => void slot?.signIn(controls.surfaceFor(select.value)) }, [
          icon('entrance'),
          'Sign in',
        ]),
      ]),
      h('p', { class: 'hint' }, ['A complete sign-in: consent, code, PKCE and ID token. The emulator approves automatically.']),
    ]),
  ]
}
