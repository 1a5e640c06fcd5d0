/** The lobbies that a client knows of, and what it tells when they change. */
import type { UserId } from '../foundation/ids'
import type { Lobby, LobbyId, LobbyMember, LobbyMessage } from './lobby'
import { compareIds } from './decode-player-lobby'
import type { LobbyUpdate } from './lobby-events'

export interface LobbyEvents {
  /** The client has come to know a lobby that the player is in. */
  lobbyCreated: (event: { lobby: Lobby }) => void
  /** Its metadata, members or channel are others now. */
  lobbyUpdated: (event: { lobby: Lobby; previous: Lobby }) => void
  /** The player is not in it any more: they left, were removed, signed out, or it has ended. */
  lobbyDeleted: (event: { lobby: Lobby }) => void
  /** A message, each once. The player's own come too. */
  lobbyMessage: (event: { message: LobbyMessage }) => void
}

/** Who is told. */
export type LobbyListeners = Readonly<LobbyEvents>

/** Ids of messages that are remembered, so that none is told twice. */
const REMEMBERED = 1000

export class LobbyCache {
  readonly #lobbies: Map<string, Lobby>
  readonly #tell: LobbyListeners
  readonly #listeners = new Set<string>()
  /** Grows when everything is forgotten: what was asked for before is no news of whoever plays now. */
  generation = 0

  /** @param lobbies is kept up to date, for whoever reads it. */
  constructor(lobbies: Map<string, Lobby>, tell: LobbyListeners) {
    this.#lobbies = lobbies
    this.#tell = tell
  }

  get(id: string): Lobby | undefined {
    return this.#lobbies.get(id)
  }

  put(lobby: Lobby): void {
    const previous = this.#lobbies.get(lobby.id)
    this.#lobbies.set(lobby.id, lobby)
    if (!previous) this.#tell.lobbyCreated({ lobby })
    else if (JSON.stringify(previous) !== JSON.stringify(lobby)) this.#tell.lobbyUpdated({ lobby, previous })
  }

  drop(id: string): void {
    const lobby = this.#lobbies.get(id)
    if (this.#lobbies.delete(id) && lobby) this.#tell.lobbyDeleted({ lobby })
  }

  clear(): void {
    this.generation++
    for (const id of this.#lobbies.keys()) this.drop(id)
  }

  /** Tells those that were not told yet, the oldest first. */
  hear(messages: readonly LobbyMessage[]): void {
    for (const message of [...messages].sort((a, b) => compareIds(a.id, b.id))) {
      if (this.#listeners.has(message.id)) continue
      this.#remember(message)
      this.#tell.lobbyMessage({ message })
    }
  }

  #remember({ id }: LobbyMessage): void {
    this.#listeners.add(id)
    for (const oldest of this.#listeners) {
      if (this.#listeners.size <= REMEMBERED) break
      this.#listeners.delete(oldest)
    }
  }

  /** Takes in what a stream says, as far as it is about this player. */
  update(update: LobbyUpdate, self: UserId | undefined): void {
    if (update.type === 'message') this.hear([update.message])
    else if (update.type === 'deleted') this.drop(update.lobbyId)
    else if (update.type === 'lobby') this.#follow(update.lobby, self)
    else this.#changeMember(update, self)
  }

  #follow(lobby: Lobby, self: UserId | undefined): void {
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
