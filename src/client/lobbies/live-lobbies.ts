/** Lobbies that the player is in: one object for each, until it ends. */
import { runCallback } from '../../shared/foundation/options'
import type { LobbyEndReason, LobbyMessage, LobbyState } from './lobby-state'
import { endLobby, type LiveLobby, showMessage, updateLobby } from './live-lobby'

/** Creates the object of a lobby, with the calls of this client. */
export type CreateLobby<L extends LiveLobby> = (state: LobbyState) => L

/** Emits the events of the client. */
export interface LobbyReport<L extends LiveLobby> {
  /** The player is in a lobby that was not known. */
  lobbyCreated(event: { lobby: L }): void
  /** Metadata, members or linked channel changed. */
  lobbyUpdated(event: { lobby: L; previous: LobbyState }): void
  /** The player is not in the lobby any more. */
  lobbyDeleted(event: { lobby: L; reason: LobbyEndReason }): void
  /** A message was received. */
  lobbyMessage(event: { message: LobbyMessage }): void
}

export class LiveLobbies<L extends LiveLobby = LiveLobby> {
  readonly #open = new Map<string, L>()
  readonly #create: CreateLobby<L>
  readonly #report: LobbyReport<L>

  constructor(create: CreateLobby<L>, report: LobbyReport<L>) {
    this.#create = create
    this.#report = report
  }

  get(id: string): L | undefined {
    return this.#open.get(id)
  }

  all(): L[] {
    return [...this.#open.values()]
  }

  /** The lobby of a call's result. One that ended meanwhile is an object too, whose calls say so, with this reason. */
  of(state: LobbyState, reason: LobbyEndReason = 'unknown'): L {
    const open = this.get(state.id)
    if (open) return open
    const lobby = this.#create(state)
    endLobby(lobby, reason)
    return lobby
  }

  /** Takes the next state of a lobby. Reports it if the lobby is new or differs. */
  put(state: LobbyState): void {
    const open = this.#open.get(state.id)
    if (!open) {
      const lobby = this.#create(state)
      this.#open.set(state.id, lobby)
      return this.#report.lobbyCreated({ lobby })
    }
    const previous = open.toJSON()
    if (JSON.stringify(previous) === JSON.stringify(state)) return
    runCallback(() => updateLobby(open, state))
    this.#report.lobbyUpdated({ lobby: open, previous })
  }

  end(id: string, reason: LobbyEndReason): void {
    const lobby = this.#open.get(id)
    if (!lobby) return
    this.#open.delete(id)
    endLobby(lobby, reason)
    this.#report.lobbyDeleted({ lobby, reason })
  }

  message(message: LobbyMessage): void {
    const lobby = this.#open.get(message.lobbyId)
    if (lobby) showMessage(lobby, message)
    this.#report.lobbyMessage({ message })
  }
}
