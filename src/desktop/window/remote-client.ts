/** Window side of the client in the main process: forwards calls and mirrors the authentication state. */
import { CALL_PATHS, callAt } from '../../client/call-paths'
import { CLIENT_EVENTS } from '../../client/context/client-events'
import { LobbyList } from '../../client/lobbies/lobby-list'
import { LiveLobbies } from '../../client/lobbies/live-lobby'
import { bindMethods, isEvent } from '../../shared/foundation/options'
import { Emitter, type ListenerOptions } from '../../shared/foundation/emitter'
import {
  type AuthorizationCodeVerifier,
  createAuthorizationCodeVerifier,
} from '../../shared/authorization/attempt'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { randomText } from '../../shared/foundation/crypto'
import { ConfigurationError } from '../../shared/foundation/errors'
import { type Bridge, type Call, type CallResult, DESKTOP } from '../contract/ipc-contract'
import {
  createMessageCodec,
  isEndReason,
  isMessage,
  readTexts,
  requireState,
  reviveError,
} from './message-codec'
import { groupOf, hold, type LobbyOwner, WindowLobby } from './window-lobby'
import { RemoteDesktop } from './remote-desktop'

type Callback = (...args: unknown[]) => unknown

/** Initial authentication state. */
const INITIAL_STATE = {
  sequence: 0,
  revision: 0,
  sessionRevision: 0,
  playerRevision: undefined,
  status: 'disconnected',
  session: null,
  applicationId: undefined,
  inviteAddress: undefined,
  lobbies: [],
} as const

export class RemoteClient {
  readonly lobbies: object
  readonly accounts: object
  readonly activity: object
  readonly backend: object
  readonly desktop: RemoteDesktop
  readonly #bridge: Bridge
  readonly #emitter = new Emitter<Record<string, Callback>>(CLIENT_EVENTS)
  /** References of disposers in the main process. */
  readonly #disposers = new Set<string>()
  readonly #codec = createMessageCodec({
    borrow: (reference) => {
      this.#disposers.add(reference)
      return () => this.#dispose(reference)
    },
    lobbyOf: (state) => this.#live.of(requireState(state)),
  })
  readonly #owner: LobbyOwner = {
    send: (path, args) => this.#send(path, args),
    inviteAddress: () => this.#authState.inviteAddress,
  }
  readonly #live = new LiveLobbies<WindowLobby>((state) => new WindowLobby(state, this.#owner), {
    lobbyCreated: (event) => this.#emitter.emit('lobbyCreated', event),
    lobbyUpdated: (event) => this.#emitter.emit('lobbyUpdated', event),
    lobbyDeleted: (event) => this.#emitter.emit('lobbyDeleted', event),
    lobbyMessage: (event) => this.#emitter.emit('lobbyMessage', event),
  })
  readonly #callbacks = new Map<string, Callback>()
  readonly #calls = new Set<string>()
  #authState: Readonly<Record<keyof typeof INITIAL_STATE, unknown>> = INITIAL_STATE
  #rateLimits: unknown[] = []
  #isFetchingLimits = false
  #undo: (() => void) | undefined

  constructor(bridge: Bridge) {
    this.#bridge = bridge
    bindMethods(this)
    for (const path of Object.keys(CALL_PATHS))
      if (!path.includes('.') && !(path in this)) Object.assign(this, { [path]: this.#caller(path) })
    this.accounts = this.#group('accounts.')
    this.backend = this.#group('backend.')
    this.desktop = new RemoteDesktop((path, args) => this.#send(path, args))
    this.activity = { launch: null, ...this.#group('activity.') }
    this.lobbies = Object.assign(new LobbyList<WindowLobby>(() => this.#live), this.#group('lobbies.'))
  }

  get session(): unknown {
    return this.#authState.session
  }

  get status(): unknown {
    return this.#authState.status
  }

  get applicationId(): unknown {
    return this.#authState.applicationId
  }

  /** Returns the previous response and requests a new one. */
  get rateLimits(): unknown[] {
    if (!this.#isFetchingLimits) void this.#fetchLimits()
    return this.#rateLimits
  }

  setApplicationId(): never {
    throw unsupported('setApplicationId')
  }

  createAuthorizationCodeVerifier(): AuthorizationCodeVerifier {
    return createAuthorizationCodeVerifier()
  }

  pauseRefresh(): () => void {
    return hold((path, args) => this.#send(path, args), 'pauseRefresh')
  }

  abortAuthorize(): void {
    this.#send('abortAuthorize', []).catch(() => undefined)
  }

  /** The event of a click is no option: `button.onclick = client.signIn`. */
  signIn(options?: unknown): Promise<unknown> {
    return this.#send('signIn', options === undefined || isEvent(options) ? [] : [options])
  }

  signOut(options?: unknown): Promise<unknown> {
    return this.#send('signOut', options === undefined || isEvent(options) ? [] : [options])
  }

  on(event: string, listener: Callback, options?: ListenerOptions): () => void {
    return this.#emitter.on(event, listener, options)
  }

  /** Requests the authentication state and subscribes to notices. */
  connect(): void {
    this.#undo = this.#bridge.listen((text) => this.#onNotice(text))
    this.#send('connect', []).catch(() => undefined)
  }

  /** Cancels this window's calls, disposes of their results and removes all listeners. The client of the main process continues. */
  close(): void {
    for (const id of this.#calls) this.#bridge.cancel(id)
    for (const reference of this.#disposers) this.#dispose(reference)
    this.#undo?.()
    this.#undo = undefined
    for (const lobby of this.#live.all()) this.#live.end(lobby.id, 'closed')
    this.#emitter.clear()
    this.desktop.close()
  }

  #group(prefix: string): object {
    return groupOf(prefix, (path) => this.#caller(path))
  }

  #caller(path: string): Callback {
    const [owner] = callAt(path) ?? ['none']
    return owner === 'none' ? () => Promise.reject(unsupported(path)) : (...args) => this.#send(path, args)
  }

  async #fetchLimits(): Promise<void> {
    this.#isFetchingLimits = true
    const limits = await this.#send('rateLimits', []).catch(() => undefined)
    this.#isFetchingLimits = false
    if (Array.isArray(limits)) this.#rateLimits = limits
  }

  #dispose(reference: string): void {
    this.#disposers.delete(reference)
    this.#send('undo', [reference]).catch(() => undefined)
  }

  async #send(path: string, args: readonly unknown[]): Promise<unknown> {
    if (!this.#undo) throw new ConfigurationError('closed', 'client')
    const id = randomText()
    const { playerRevision, session } = this.#authState
    // A window that shows nobody signs out whoever there is.
    const shown = path === 'signOut' && !session ? undefined : playerRevision
    const { text, signals, callbacks } = this.#codec.send({
      id,
      path,
      args,
      playerRevision: shown,
    } satisfies Record<keyof Call, unknown>)
    const cancel = () => this.#bridge.cancel(id)
    for (const [name, callback] of callbacks) this.#callbacks.set(name, callback)
    for (const signal of signals) signal.addEventListener('abort', cancel)
    this.#calls.add(id)
    try {
      const response = this.#post(text)
      if (signals.some(({ aborted }) => aborted)) cancel()
      const value = this.#read(await response)
      if (path === 'createOrJoinLobby' && value instanceof WindowLobby) value.remember(args[0])
      return value
    } finally {
      for (const name of callbacks.keys()) this.#callbacks.delete(name)
      for (const signal of signals) signal.removeEventListener('abort', cancel)
      this.#calls.delete(id)
    }
  }

  async #post(text: string): Promise<CallResult> {
    try {
      return readTexts(await this.#bridge.call(text))
    } catch (error) {
      const subject = 'createMainClient was not called in the main process, or without windows'
      throw new ConfigurationError('unsupported', subject, { cause: error })
    }
  }

  #read({ value, error, authState }: CallResult): unknown {
    // Applies the authentication state first, so that `session` is current when a sign-in resolves.
    if (authState !== undefined) this.#applyAuthState(this.#codec.receive(authState))
    if (error !== undefined) throw reviveError(this.#codec.receive(error))
    return value === undefined ? undefined : this.#codec.receive(value, this.session)
  }

  #onNotice(text: string): void {
    const { kind, authState, id = '', args, name = '', data } = readTexts(text)
    if (kind === 'authState' && authState !== undefined) this.#applyAuthState(this.#codec.receive(authState))
    if (kind === 'event' && data !== undefined) this.#onEvent(name, this.#codec.receive(data))
    const values = kind === 'callback' && args !== undefined ? this.#codec.receive(args) : undefined
    if (Array.isArray(values)) this.#callbacks.get(id)?.(...values)
  }

  #onEvent(name: string, data: unknown): void {
    if (name.startsWith(DESKTOP)) return this.desktop.receive(name.slice(DESKTOP.length), data)
    const { lobby, reason, message } = isRecord(data) ? data : {}
    if (name === 'lobbyMessage' && isMessage(message)) return this.#live.message(message)
    if (name === 'lobbyDeleted' && lobby instanceof WindowLobby && isEndReason(reason))
      return this.#live.end(lobby.id, reason)
    this.#emitter.emit(name, data)
  }

  #applyLobbies(states: unknown): void {
    for (const state of Array.isArray(states) ? states : []) this.#live.put(requireState(state))
  }

  #applyAuthState(snapshot: unknown): void {
    if (!isRecord(snapshot) || Number(snapshot['sequence']) <= Number(this.#authState.sequence)) return
    const {
      sequence,
      revision,
      sessionRevision,
      playerRevision,
      status,
      applicationId,
      inviteAddress,
      lobbies,
      cause,
    } = snapshot
    const previous = this.#authState
    // An unchanged session stays the same object.
    const session = revision === previous.revision ? previous.session : (snapshot['session'] ?? null)
    this.#authState = {
      sequence,
      revision,
      sessionRevision,
      playerRevision,
      status,
      session,
      applicationId,
      inviteAddress,
      lobbies,
    }
    this.#applyLobbies(lobbies)
    this.desktop.apply(snapshot['desktop'])
    const isChanged = previous.sessionRevision !== sessionRevision && previous.session !== session
    if (isChanged)
      this.#emitter.emit('sessionChanged', {
        session,
        previous: previous.session,
        ...(cause !== undefined && { cause: reviveError(cause) }),
      })
    if (previous.status !== status) this.#emitter.emit('statusChanged', { status, previous: previous.status })
  }
}

const unsupported = (what: string) => new ConfigurationError('unsupported', `${what} in a window`)
