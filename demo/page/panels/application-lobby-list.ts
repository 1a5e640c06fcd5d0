/** List of the application's lobbies with their limits, members and idle countdown, and the form that creates one as a backend does. */
import type { DemoContext } from '../panel-context'
import { ApplicationLobbies, type ListedLobby } from '../game/application-lobbies'
import { h } from '../ui/create-element'
import { everySecond } from '../ui/format-time'
import { icon } from '../ui/icons'
import { type LobbyItem, lobbyItem } from './application-lobby-item'
import { lobbyKindsTable } from './lobby-kinds-table'

export function mountLobbyList(body: HTMLElement, context: DemoContext): void {
  const lobbies = new ApplicationLobbies()
  const list = h('ul', { class: 'lobby-list' })
  const empty = h('p', { class: 'empty' }, ['No lobby is open. Create one here, or join as a player above.'])
  const fault = h('p', { class: 'fault', role: 'alert' })
  body.replaceChildren(createForm(lobbies, context), fault, empty, list, lobbyKindsTable())
  const items = new Map<string, LobbyItem>()
  lobbies.list.subscribe((all) => {
    empty.hidden = all.length > 0
    showAll(all, { list, items, make: (lobby) => lobbyItem(lobby, { lobbies, players: context.preset?.players ?? [] }) })
  })
  lobbies.fault.subscribe((text) => fault.replaceChildren(...(text === '' ? [] : [icon('warning'), text])))
  everySecond(() => items.forEach((item) => item.tick()))
  context.address.current.subscribe(({ screen }) => (screen === 'lobby' && context.faultControls() ? lobbies.follow() : lobbies.stop()))
}

interface Shown {
  list: HTMLElement
  items: Map<string, LobbyItem>
  make: (lobby: ListedLobby) => LobbyItem
}

/** Changes items in place, so that a field in use keeps its focus. */
function showAll(all: readonly ListedLobby[], { list, items, make }: Shown): void {
  for (const [id, item] of items) {
    if (all.some((lobby) => lobby.id === id)) continue
    item.element.remove()
    items.delete(id)
  }
  for (const lobby of all) {
    const known = items.get(lobby.id)
    if (known) known.show(lobby)
    else {
      const item = make(lobby)
      items.set(lobby.id, item)
      list.prepend(item.element)
    }
  }
}

function createForm(lobbies: ApplicationLobbies, { workbench, preset }: DemoContext): HTMLElement {
  const idle = h('input', { id: 'lobby-idle', inputmode: 'numeric', autocomplete: 'off', 'aria-describedby': 'lobby-idle-hint' })
  idle.value = '300'
  const create = (event: Event) => {
    event.preventDefault()
    const signedIn = workbench.slots.flatMap(({ session }) => session.value?.userId ?? [])
    const members = signedIn.length > 0 ? signedIn : (preset?.players ?? []).slice(0, 1).map(({ id }) => id)
    void lobbies.create([...new Set(members)], idle.value)
  }
  return h('form', { class: 'field', onsubmit: create }, [
    h('label', { for: 'lobby-idle' }, ['Idle timeout in seconds']),
    h('div', { class: 'inline wraps' }, [idle, h('button', { class: 'secondary' }, ['Create a server lobby'])]),
    h('p', { class: 'hint', id: 'lobby-idle-hint' }, [
      'From 5 to 604,800. Its members are the players who are signed in above, or the first player.',
    ]),
  ])
}
