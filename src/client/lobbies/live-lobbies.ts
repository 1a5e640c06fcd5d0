/** Lobbies that the player is in: one object for each, until it ends. */
import { runCallback } from '../../shared/foundation/run-callback'
import type { LobbyListeners } from './lobby-cache'
import type { LobbyEndReason, LobbyMessage, LobbyState } from './lobby-state'
import type { LiveLobby, LobbyControl } from './live-lobby'

/** Creates the object of a lobby, with the calls of this client. */
export type CreateLobby<L extends LiveLobby> = (state: LobbyState, take: (control: LobbyControl) => void) => L

/** Emits the events of the client. */
export interface LobbyReport<L extends LiveLobby> {
  lobbyCreated: (event: { lobby: L }) => void
  lobbyUpdated: (event: { lobby: L; previous: LobbyState }) => void
  lobbyDeleted: (event: { lobby: L; reason: LobbyEndReason }) => void
  lobbyMessage: (event: { message: LobbyMessage }) => void
}

export class LiveLobbies<L extends LiveLobby = LiveLobby> implements LobbyListeners {
  readonly #open = new Map<string, { lobby: L; control: LobbyControl }>()
  readonly #create: CreateLobby<L>
  readonly #report: LobbyReport<L>

  constructor(create: CreateLobby<L>, report: LobbyReport<L>) {
    this.#create = create
    this.#report = report
  }

  get(id: string): L | undefined {
    return this.#open.get(id)?.lobby
  }

  all(): L[] {
    return Array.from(this.#open.values(), ({ lobby }) => lobby)
  }

  /** The lobby of a call's result. One that ended meanwhile is an object too, whose calls say so, with this reason. */
  of(state: LobbyState, reason: LobbyEndReason = 'unknown'): L {
    const open = this.get(state.id)
    if (open) return open
    const { lobby, control } = this.#make(state)
    control.end(reason)
    return lobby
  }

  created(state: LobbyState): void {
    const made = this.#make(state)
    this.#open.set(state.id, made)
    this.#report.lobbyCreated({ lobby: made.lobby })
  }

  updated(state: LobbyState, previous: LobbyState): void {
    const open = this.#open.get(state.id)
    if (!open) return
    runCallback(() => open.control.update(state))
    this.#report.lobbyUpdated({ lobby: open.lobby, previous })
  }

  ended(id: string, reason: LobbyEndReason): void {
    const open = this.#open.get(id)
    if (!open) return
    this.#open.delete(id)
    open.control.end(reason)
    this.#report.lobbyDeleted({ lobby: open.lobby, reason })
  }

  message(message: LobbyMessage): void {
    this.#open.get(message.lobbyId)?.control.message(message)
    this.#report.lobbyMessage({ message })
  }

  #make(state: LobbyState): { lobby: L; control: LobbyControl } {
    let control: LobbyControl | undefined
    const lobby = this.#create(state, (taken) => (control = taken))
    if (!control) throw new TypeError('a lobby without its control')
    return { lobby, control }
  }
}
