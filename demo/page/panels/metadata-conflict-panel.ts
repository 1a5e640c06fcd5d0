/** Panel of the lobby screen: both players edit the metadata at the same moment, with and without `updateMetadata`. */
import type { Lobby } from 'foyer-sdk'
import type { DemoContext, Mount } from '../panel-context'
import { describeResult, editTogether, type EditRequest, type EditResult, outcomeOf } from '../game/edit-metadata-together'
import { busy } from '../ui/busy-line'
import { h } from '../ui/create-element'
import { panel } from '../ui/panel'
import { playerName } from '../ui/player-name-and-avatar'

export const mountMetadataConflict: Mount = (element, context) => {
  const { service, faultControls, workbench } = context
  const { body } = panel(element, 'Two edits at once', [
    'Metadata is replaced as a whole. The game’s backend edits it for both players in the same moment: each edit reads the metadata, adds one to the player’s own entry and to ',
    h('code', {}, ['edits']),
    ', and writes it back.',
  ])
  const status = h('p', { class: 'outcome', role: 'status' })
  const list = h('ol', { class: 'edits', 'aria-label': 'Requests in the order of their responses' })
  const run = async (safely: boolean) => {
    const edits = editsOf(context)
    if (!edits) return
    status.replaceChildren(busy('Both edit …'))
    list.replaceChildren()
    try {
      const result = await editTogether({ ...edits, safely })
      status.textContent = describeResult(result)
      list.replaceChildren(...result.requests.map((request) => requestItem(request, result)))
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : String(error)
    }
  }
  const buttons = [button('Both edit now', () => run(false)), button('Both edit with updateMetadata', () => run(true))]
  const hint = h('p', { class: 'hint' })
  body.append(h('div', { class: 'experiments' }, [hint, h('div', { class: 'buttons' }, buttons), status, list]))
  const update = () => {
    hint.textContent = hintFor(context)
    for (const one of buttons) one.disabled = editsOf(context) === undefined
  }
  for (const slot of workbench.slots) slot.lobby.subscribe(update)
  service.subscribe(() => (element.hidden = faultControls() === undefined))
}

function button(label: string, act: () => Promise<void>): HTMLButtonElement {
  return h('button', { type: 'button', class: 'secondary', onclick: () => void act() }, [label])
}

/** Lobby and names of both players; undefined unless they are in the same lobby. */
function editsOf({ workbench: { slots } }: DemoContext): { lobby: string; players: readonly [string, string] } | undefined {
  const [left, right] = slots
  const lobby: Lobby | null = left.lobby.value
  if (!lobby || right.lobby.value?.id !== lobby.id || !left.session.value || !right.session.value) return undefined
  const names = [left.session.value, right.session.value].map((session) => playerName({ ...session, held: true }))
  return { lobby: lobby.id, players: [names[0] ?? '', names[1] ?? ''] }
}

function hintFor(context: DemoContext): string {
  if (!editsOf(context)) return 'Both players have to be in the same lobby.'
  return 'The first button overwrites what the other one wrote. updateMetadata excludes the other edit until it has read, written and read again.'
}

function requestItem(request: EditRequest, { metadata }: EditResult): HTMLElement {
  const outcome = outcomeOf(request, metadata)
  const words = { kept: 'still there', lost: 'overwritten' } as const
  return h('li', { class: outcome === 'lost' ? 'edit-lost' : '' }, [
    h('strong', {}, [request.player]),
    h('code', {}, [`${request.method} ${request.path}`]),
    h('span', {}, [`${request.status}`]),
    outcome !== undefined && h('span', { class: 'tag' }, [words[outcome]]),
    h('code', { class: 'edit-body' }, [`${request.sent ? 'sent' : 'read'} ${JSON.stringify(request.sent ?? request.received)}`]),
  ])
}
