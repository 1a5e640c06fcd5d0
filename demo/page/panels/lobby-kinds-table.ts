/** Table that compares a lobby of the backend with one of players (docs/interface/lobbies.md). */
import { h } from '../ui/create-element'

const ROWS: readonly (readonly [question: string, server: string, player: string])[] = [
  ['Created by', 'the backend, with its bot token', 'the first player who joins with its secret'],
  ['Members', 'the backend adds them; a player cannot join', 'everybody who has the secret joins; the backend may add more'],
  ['Leaving', 'the backend removes them; a player cannot leave', 'each player leaves, or the backend removes them'],
  ['Metadata', 'the backend edits it', 'a member sets it by joining again; the backend edits it too'],
  ['Channel', 'can be linked, by a member with the flag CanLinkLobby', 'cannot be linked'],
  ['End', 'deleted by the backend, or idle for its timeout; never while linked', 'deleted by the backend, or idle for its timeout'],
]

export function lobbyKindsTable(): HTMLElement {
  const head = ['', 'Server lobby', 'Player lobby'].map((text) => (text ? h('th', { scope: 'col' }, [text]) : h('td')))
  const rows = ROWS.map(([question, server, player]) =>
    h('tr', {}, [
      h('th', { scope: 'row' }, [question]),
      h('td', { 'data-party': 'Server lobby' }, [server]),
      h('td', { 'data-party': 'Player lobby' }, [player]),
    ]),
  )
  return h('details', { class: 'more' }, [
    h('summary', {}, [h('h3', {}, ['Server lobby or player lobby?'])]),
    h('table', { class: 'compared' }, [h('thead', {}, [h('tr', {}, head)]), h('tbody', {}, rows)]),
  ])
}
