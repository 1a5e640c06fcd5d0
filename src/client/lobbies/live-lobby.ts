/** State and events of the lobbies that the player is in, one object for each until it ends. Its calls are added by the client of a page or of a window. */
import type { EventEmitter } from 'eventemitter3'
import { Emitter, type ListenerOptions } from '../../shared/foundation/emitter'
import { ApiError } from '../../shared/foundation/errors'
import type { ApplicationId } from '../../shared/foundation/ids'
import type {
  LinkedChannel,
  LobbyEndReason,
  LobbyId,
  LobbyMember,
  LobbyMessage,
  LobbyState,
  Keyed,
  KeysOf,
  MetadataKeys,
} from './lobby-state'
import { runCallback } from '../../shared/foundation/options'

/** Events of a lobby. Each carries one object. */
export interface LobbyEvents {
  /** A message was received; once per message, including the player's own. */
  message: (event: { message: LobbyMessage }) => void
  /** Metadata, members or linked channel changed. `previous`: the state before. */
  updated: (event: { previous: LobbyState }) => void
  /** Another member joined. Without the lobby stream of a backend, it is noticed by the next join of this player only. */
  memberAdded: (event: { member: LobbyMember }) => void
  /** Metadata, names, rights or presence of a member changed. */
  memberUpdated: (event: { member: LobbyMember; previous: LobbyMember }) => void
  /** A member left. Noticed as a join is. */
  memberRemoved: (event: { member: LobbyMember }) => void
  /** The player is not in the lobby any more. The last event of a lobby. */
  ended: (event: { reason: LobbyEndReason }) => void
}

/** Member of a lobby whose metadata keys are known. */
export type KeyedMember<Keys extends MetadataKeys = MetadataKeys> = Omit<LobbyMember, 'metadata'> & {
  /** Metadata of the member; empty if there is none. */
  readonly metadata: Keyed<KeysOf<Keys, 'member'>>
}

const EVENTS = ['message', 'updated', 'memberAdded', 'memberUpdated', 'memberRemoved', 'ended'] as const

const WHY: Readonly<Record<LobbyEndReason, string>> = {
  left: 'this client left the lobby',
  removed: 'the player was removed from the lobby, or left it elsewhere',
  deleted: 'the lobby was deleted',
  unknown: 'the service knows no such lobby of this player',
  signed_out: 'the player signed out, or another one signed in',
  closed: 'the client was closed',
}

// Changes of a lobby that only `LiveLobbies` may make.
let update: (lobby: LiveLobby, next: LobbyState) => void
let show: (lobby: LiveLobby, message: LobbyMessage) => void
let end: (lobby: LiveLobby, reason: LobbyEndReason) => void

export class LiveLobby<Keys extends MetadataKeys = MetadataKeys> {
  readonly #emitter = new Emitter<LobbyEvents>(EVENTS)
  #state: LobbyState
  #endReason: LobbyEndReason | null = null

  static {
    update = (lobby, next) => lobby.#update(next)
    show = (lobby, message) => lobby.#emitter.emit('message', { message })
    end = (lobby, reason) => lobby.#end(reason)
  }

  /** @internal */
  constructor(state: LobbyState) {
    this.#state = state
  }

  /** Lobby id. */
  get id(): LobbyId {
    return this.#state.id
  }

  /** Application that the lobby belongs to. */
  get applicationId(): ApplicationId {
    return this.#state.applicationId
  }

  /** Metadata of the lobby; empty if there is none. */
  get metadata(): Keyed<KeysOf<Keys, 'lobby'>> {
    return this.#state.metadata
  }

  /** Members, as of the player's last join. With the lobby stream of a backend they are the current ones. */
  get members(): readonly KeyedMember<Keys>[] {
    return this.#state.members
  }

  /** Linked guild channel, or null. */
  get linkedChannel(): LinkedChannel | null {
    return this.#state.linkedChannel ?? null
  }

  /** Why the lobby ended for the player; null while the player is in it. Calls reject with `unknown_lobby` afterwards. */
  get endReason(): LobbyEndReason | null {
    return this.#endReason
  }

  /**
   * Calls the listener with one object for each event of this name. Returns a function that removes the listener.
   *
   * @throws ConfigurationError `invalid_argument` for an unknown event name.
   * @example
   * ```ts
   * const off = lobby.on('message', ({ message }) => show(message.author.username, message.content))
   * ```
   */
  on<Name extends keyof LobbyEvents>(
    event: Name,
    listener: EventEmitter.EventListener<LobbyEvents, Name>,
    options?: ListenerOptions,
  ): () => void {
    return this.#emitter.on(event, listener, options)
  }

  /** The state as plain data, for a store or another window. Never changes. */
  toJSON(): LobbyState {
    return this.#state
  }

  /** Vue makes no proxy of an object with a tag: private fields do not exist on one. */
  protected get [Symbol.toStringTag](): string {
    return 'Lobby'
  }

  /** @throws ApiError `unknown_lobby` with the reason, once the lobby has ended. */
  protected requireOpen(): void {
    if (this.#endReason !== null) throw endedError(this.#endReason)
  }

  #update(next: LobbyState): void {
    const previous = this.#state
    this.#state = next
    this.#emitter.emit('updated', { previous })
    const before = new Map(previous.members.map((member) => [member.id, member]))
    for (const member of next.members) {
      const known = before.get(member.id)
      before.delete(member.id)
      if (!known) this.#emitter.emit('memberAdded', { member })
      else if (JSON.stringify(known) !== JSON.stringify(member))
        this.#emitter.emit('memberUpdated', { member, previous: known })
    }
    for (const member of before.values()) this.#emitter.emit('memberRemoved', { member })
  }

  #end(reason: LobbyEndReason): void {
    if (this.#endReason !== null) return
    this.#endReason = reason
    this.#emitter.emit('ended', { reason })
    this.#emitter.clear()
  }
}

function endedError(reason: LobbyEndReason): ApiError {
  return new ApiError('unknown_lobby', `ended with ${reason}`, {
    status: 0,
    remedy: `Join again with createOrJoinLobby: ${WHY[reason]}`,
  })
}

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
    end(lobby, reason)
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
    runCallback(() => update(open, state))
    this.#report.lobbyUpdated({ lobby: open, previous })
  }

  end(id: string, reason: LobbyEndReason): void {
    const lobby = this.#open.get(id)
    if (!lobby) return
    this.#open.delete(id)
    end(lobby, reason)
    this.#report.lobbyDeleted({ lobby, reason })
  }

  message(message: LobbyMessage): void {
    const lobby = this.#open.get(message.lobbyId)
    if (lobby) show(lobby, message)
    this.#report.lobbyMessage({ message })
  }
}
