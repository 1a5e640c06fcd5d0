/** The lobby as one player sees it: members, metadata and messages. */
import type { Lobby } from 'foyer-sdk'
import type { DemoContext } from '../panel-context'
import type { PlayerSlot } from '../game/lobby-player'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'
import { memberName } from '../ui/player-names'
import { metadataEditor } from '../ui/metadata-editor'
import { chat } from './lobby-messages-panel'

interface LobbyViewOptions {
  slot: PlayerSlot
  context: DemoContext
  /** Makes the ids of this player's elements unique. */
  prefix: string
}

/** Maximum number of members of one lobby (docs/interface/lobbies.md#limits). */
const MEMBERS = 25

export function mountLobbyView(element: HTMLElement, place: LobbyViewOptions): void {
  const { slot, context } = place
  const members = h('div', { class: 'members' })
  const sheets = metadataForms(place)
  const talk = chat(place)
  const join = h('button', { type: 'button', class: 'secondary wide', onclick: () => void slot.join(context.workbench.secret.value) }, [
    icon('arrow'),
    'Create or join',
  ])
  const leave = h('button', { type: 'button', class: 'secondary', onclick: () => void slot.leave() }, ['Leave'])
  const inside = h('div', { class: 'room-inside' }, [members, talk, sheets.element, h('div', { class: 'buttons' }, [leave])])
  element.append(join, inside)
  slot.lobby.subscribe((lobby) => {
    const hadFocus = lobby !== null && document.activeElement === join
    join.hidden = lobby !== null
    inside.hidden = lobby === null
    if (!lobby) return
    members.replaceChildren(...memberList(lobby, place))
    sheets.show(lobby)
    if (hadFocus) talk.querySelector('input')?.focus()
  })
}

function memberList({ id, members }: Lobby, { slot, context }: LobbyViewOptions): HTMLElement[] {
  return [
    h('h3', {}, [`${members.length} of ${MEMBERS} members`]),
    h('meter', { class: 'count-bar', min: 0, max: MEMBERS, value: members.length, 'aria-label': 'Members' }),
    h(
      'ul',
      {},
      members.map((member) => {
        const isSelf = member.id === slot.session.value?.userId
        const words = Object.entries(member.metadata).map(([key, value]) => `${key}: ${value}`)
        return h('li', { class: 'member' }, [
          h('strong', {}, [memberName(member.id, context.preset)]),
          isSelf && h('span', { class: 'tag' }, ['you']),
          words.length > 0 && h('span', { class: 'hint' }, [words.join(', ')]),
        ])
      }),
    ),
    h('p', { class: 'hint' }, ['Lobby ', h('code', {}, [id])]),
  ]
}

function metadataForms({ slot, context, prefix }: LobbyViewOptions): { element: HTMLElement; show: (lobby: Lobby) => void } {
  const ofLobby = metadataEditor(`${prefix}-lobby-metadata`, 'Metadata of the lobby', 'map: harbour\nmode: capture')
  const ofMember = metadataEditor(`${prefix}-member-metadata`, 'Metadata of this player in it', 'team: red')
  const save = () => void slot.join(context.workbench.secret.value, { lobbyMetadata: ofLobby.value, memberMetadata: ofMember.value })
  return {
    element: h('details', { class: 'more sheets' }, [
      h('summary', {}, ['Metadata']),
      ofLobby.element,
      ofMember.element,
      h('p', { class: 'hint' }, [
        'A line for each entry, ',
        h('code', {}, ['key: value']),
        '. A player changes it by joining again, which counts as a join: 10 in 60 seconds.',
      ]),
      h('button', { type: 'button', class: 'secondary', onclick: save }, ['Save the metadata']),
    ]),
    show({ metadata, members }) {
      ofLobby.show(metadata)
      ofMember.show(members.find(({ id }) => id === slot.session.value?.userId)?.metadata ?? {})
    },
  }
}
