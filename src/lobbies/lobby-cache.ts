/** Cache of the player's lobbies; emits events for changes. */
import type { UserId } from '../foundation/ids'
import type { Lobby, LobbyId, LobbyMember, LobbyMessage } from './lobby'
import { compareIds } from './read-lobby'
import type { LobbyUpdate } from './lobby-updates'

export interface LobbyEvents {
  /** The cache contains a new lobby of the player. */
  lobbyCreated: (event: { lobby: Lobby }) => void
  /** Metadata, members or linked channel changed. */
  lobbyUpdated: (event: { lobby: Lobby; previous: Lobby }) => void
  /** The player is not in the lobby any more: left, removed, signed out, or the lobby ended. */
  lobbyDeleted: (event: { lobby: Lobby }) => void
  /** A message was received; once per message, including the player's own. */
  lobbyMessage: (event: { message: LobbyMessage }) => void
}

/** Listeners of the cache. */
export type LobbyListeners = Readonly<LobbyEvents>

/** Number of message ids stored to prevent duplicate events. */
const MAX_MESSAGE_IDS = 1000

export class LobbyCache {
  readonly #lobbies: Map<string, Lobby>
  readonly #listeners: LobbyListeners
  readonly #messageIds = new Set<string>()
  /** Incremented when the cache is cleared, so that responses to earlier requests are ignored. */
  generation = 0

  /** @param lobbies is updated in place, for direct reads. */
  constructor(lobbies: Map<string, Lobby>, listeners: LobbyListeners) {
    this.#lobbies = lobbies
    this.#listeners = listeners
  }

  get(id: string): Lobby | undefined {
    return this.#lobbies.get(id)
  }

  put(lobby: Lobby): void {
    const previous = this.#lobbies.get(lobby.id)
    this.#lobbies.set(lobby.id, lobby)
    if (!previous) this.#listeners.lobbyCreated({ lobby })
    else if (JSON.stringify(previous) !== JSON.stringify(lobby)) this.#listeners.lobbyUpdated({ lobby, previous })
  }

  /** Stores a response to an own call, which lacks the names and the presence that a stream has reported. */
  putOwn(lobby: Lobby): void {
    const known = new Map(this.#lobbies.get(lobby.id)?.members.map((member) => [member.id, member]))
    this.put({ ...lobby, members: lobby.members.map((member) => withNames(member, known.get(member.id))) })
  }

  drop(id: string): void {
    const lobby = this.#lobbies.get(id)
    if (!lobby) return
    this.#lobbies.delete(id)
    this.#listeners.lobbyDeleted({ lobby })
  }

  clear(): void {
    this.generation++
    for (const id of this.#lobbies.keys()) this.drop(id)
  }

  /** Emits new messages, oldest first. */
  addMessages(messages: readonly LobbyMessage[]): void {
    for (const message of [...messages].sort((a, b) => compareIds(a.id, b.id))) {
      if (this.#messageIds.has(message.id)) continue
      this.#storeId(message)
      this.#listeners.lobbyMessage({ message })
    }
  }

  #storeId({ id }: LobbyMessage): void {
    this.#messageIds.add(id)
    for (const oldest of this.#messageIds) {
      if (this.#messageIds.size <= MAX_MESSAGE_IDS) break
      this.#messageIds.delete(oldest)
    }
  }

  /** Applies an update of a stream, if it concerns this player. */
  update(update: LobbyUpdate, self: UserId | undefined): void {
    if (update.type === 'message') this.addMessages([update.message])
    else if (update.type === 'deleted') this.drop(update.lobbyId)
    else if (update.type === 'lobby') this.#updateLobby(update.lobby, self)
    else if (update.type !== 'messagePending') this.#changeMember(update, self)
  }

  #updateLobby(lobby: Lobby, self: UserId | undefined): void {
    if (lobby.members.some(({ id }) => id === self)) this.put(lobby)
    else this.drop(lobby.id)
  }

  #changeMember({ lobbyId, ...change }: MemberUpdate, self: UserId | undefined): void {
    const lobby = this.#lobbies.get(lobbyId)
    if (!lobby) return
    const { id } = change.type === 'member' ? change.member : { id: change.memberId }
    if (change.type === 'member') return this.put({ ...lobby, members: withMember(lobby.members, change.member) })
    if (id === self) return this.drop(lobbyId)
    this.put({ ...lobby, members: lobby.members.filter((member) => member.id !== id) })
  }
}

type MemberUpdate = Extract<LobbyUpdate, { type: 'member' | 'memberRemoved' }> & { lobbyId: LobbyId }

function withMember(members: readonly LobbyMember[], member: LobbyMember): LobbyMember[] {
  const isKnown = members.some(({ id }) => id === member.id)
  return isKnown ? members.map((each) => (each.id === member.id ? member : each)) : [...members, member]
}

function withNames(member: LobbyMember, known: LobbyMember | undefined): LobbyMember {
  const { username, globalName, presence } = known ?? {}
  return {
    ...member,
    ...(username !== undefined && { username }),
    ...(globalName !== undefined && { globalName }),
    ...(presence !== undefined && { presence }),
  }
}
