/** One lobby of the list: kind, limits, members that the backend adds and removes, and the time until it closes. */
import type { ApplicationLobbies, ListedLobby } from '../game/application-lobbies'
import type { Preset } from '../game/emulator-preset'
import { METADATA_LIMIT } from '../game/metadata-text'
import { h } from '../ui/create-element'
import { duration } from '../ui/format-time'
import { icon } from '../ui/icons'

/** Members that one request of the backend may name (docs/interface/lobbies.md#limits). */
const MEMBERS = 25

export interface LobbyItem {
  readonly element: HTMLElement
  show(lobby: ListedLobby): void
  /** Updates the countdown. */
  tick(): void
}

interface ItemContext {
  lobbies: ApplicationLobbies
  players: Preset['players']
}

export function lobbyItem(first: ListedLobby, context: ItemContext): LobbyItem {
  const { lobbies } = context
  const { id } = first
  let lobby = first
  const linked = h('span', { class: 'tag' }, ['linked'])
  const members = meterLine(`${id}-members`, MEMBERS)
  const metadata = meterLine(`${id}-metadata`, METADATA_LIMIT)
  const idle = meterLine(`${id}-idle`, lobby.idleSeconds)
  const editor = memberEditor(id, context)
  const show = (next: ListedLobby) => {
    lobby = next
    linked.hidden = !next.isLinked
    members.show(next.members.length, `${next.members.length} of ${MEMBERS} members`)
    const limit = METADATA_LIMIT.toLocaleString('en')
    metadata.show(next.characters, `${next.characters.toLocaleString('en')} of ${limit} characters of metadata`)
    editor.show(next.members)
    tick()
  }
  const tick = () => idle.show(Math.max(0, lobbies.timeLeft(lobby) / 1000), idleWords(lobby, lobbies.timeLeft(lobby)))
  const head = h('div', { class: 'lobby-head' }, [
    h('h3', { id: `${id}-name` }, [lobby.bySecret ? 'Player lobby ' : 'Server lobby ', h('code', {}, [id])]),
    linked,
    h('button', { type: 'button', class: 'quiet', onclick: () => void lobbies.delete(id) }, [icon('cross'), 'Delete']),
  ])
  const parts = [head, members.element, metadata.element, idle.element, ...editor.elements]
  const element = h('li', { class: 'lobby-item', 'aria-labelledby': `${id}-name` }, parts)
  show(first)
  return { element, show, tick }
}

/** Members with a button each that removes one, and a field that adds one. */
function memberEditor(
  lobby: string,
  { lobbies, players }: ItemContext,
): { elements: HTMLElement[]; show: (members: readonly string[]) => void } {
  const names = h('ul', { class: 'lobby-members' })
  const select = h('select', { id: `${lobby}-add` })
  const add = (event: Event) => {
    event.preventDefault()
    void lobbies.add(lobby, select.value).then(() => select.focus())
  }
  // The button of a removed member is gone, and the focus with it.
  const remove = (user: string) => void lobbies.remove(lobby, user).then(() => select.focus())
  const form = h('form', { class: 'inline', onsubmit: add }, [
    h('label', { class: 'visually-hidden', for: select.id }, [`Player to add to lobby ${lobby}`]),
    select,
    h('button', { class: 'secondary' }, ['Add']),
  ])
  let shown: string | undefined
  const show = (members: readonly string[]) => {
    if (shown === members.join()) return
    shown = members.join()
    names.replaceChildren(...members.map((user) => memberItem(nameOf(user, players), () => remove(user))))
    const absent = players.filter(({ id }) => !members.includes(id))
    select.replaceChildren(...absent.map(({ id, name }) => h('option', { value: id }, [name])))
    form.hidden = absent.length === 0
  }
  return { elements: [names, form], show }
}

function meterLine(id: string, max: number): { element: HTMLElement; show: (value: number, words: string) => void } {
  const bar = h('meter', { class: 'count-bar', min: 0, max, 'aria-labelledby': id })
  const words = h('span', { id })
  return {
    element: h('div', { class: 'count' }, [bar, words]),
    show(value, text) {
      bar.value = Number.isFinite(value) ? value : max
      if (words.textContent !== text) words.textContent = text
    },
  }
}

function idleWords({ idleSeconds, closesAt }: ListedLobby, left: number): string {
  if (closesAt === undefined) return 'Does not close while it is linked'
  if (left <= 0) return 'Closes now'
  return `Closes in ${duration(left)} if nobody uses it, of ${duration(idleSeconds * 1000)}`
}

function memberItem(name: string, remove: () => void): HTMLElement {
  return h('li', {}, [
    name,
    h('button', { type: 'button', class: 'quiet', 'aria-label': `Remove ${name}`, onclick: remove }, [icon('cross')]),
  ])
}

function nameOf(user: string, players: Preset['players']): string {
  return players.find(({ id }) => id === user)?.name ?? `Player …${user.slice(-4)}`
}
