/** Window side of the client in the main process: forwards calls and mirrors the authentication state. */
import { EventEmitter } from 'eventemitter3'
import { type AuthorizationCodeVerifier, createAuthorizationCodeVerifier } from '../../authorization/pkce'
import { isRecord } from '../../foundation/values/guard-untrusted-values'
import { randomText } from '../../foundation/random-text'
import { ConfigurationError } from '../../foundation/errors'
import { type CallResult, type Bridge, type Call, VERBS } from '../ipc-contract/ipc-contract'
import { createMessageCodec } from './message-codec'
import { reviveError } from './revive-error'

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
  lobbies: [],
} as const

export class RemoteClient extends EventEmitter {
  readonly #bridge: Bridge
  /** References of disposers in the main process. */
  readonly #disposers = new Set<string>()
  readonly #codec = createMessageCodec((reference) => {
    this.#disposers.add(reference)
    return () => this.#dispose(reference)
  })
  readonly #callbacks = new Map<string, Callback>()
  readonly #calls = new Set<string>()
  #authState: Readonly<Record<keyof typeof INITIAL_STATE, unknown>> = INITIAL_STATE
  #limits: unknown[] = []
  #isFetchingLimits = false
  #undo: (() => void) | undefined

  constructor(bridge: Bridge) {
    super()
    this.#bridge = bridge
    for (const [verb, owner] of Object.entries(VERBS)) {
      if (verb in this) continue
      const refuse = () => Promise.reject(unsupported(verb))
      Object.assign(this, { [verb]: owner ? (...args: unknown[]) => this.#call(verb, args) : refuse })
    }
  }

  get session(): unknown {
    return this.#authState.session
  }

  get status(): unknown {
    return this.#authState.status
  }

  getApplicationId(): unknown {
    return this.#authState.applicationId
  }

  isAuthenticated(): boolean {
    return !!this.session
  }

  getActivityLaunch(): null {
    return null
  }

  getLobbyIds(): unknown[] {
    return this.#lobbies().map(({ id }) => id)
  }

  getLobby(lobbyId: string): unknown {
    return this.#lobbies().find(({ id }) => id === lobbyId)
  }

  /** Returns the previous response and requests a new one. */
  limits(): unknown[] {
    if (!this.#isFetchingLimits) void this.#fetchLimits()
    return this.#limits
  }

  setApplicationId(): never {
    throw unsupported('setApplicationId')
  }

  createAuthorizationCodeVerifier(): AuthorizationCodeVerifier {
    return createAuthorizationCodeVerifier()
  }

  hold(): () => void {
    const held = new AbortController()
    this.#call('hold', [{ signal: held.signal }]).catch(() => undefined)
    return () => held.abort()
  }

  abortAuthorize(): void {
    this.#call('abortAuthorize', []).catch(() => undefined)
  }

  subscribe(event: string, listener: Callback): () => void {
    this.on(event, listener)
    return () => this.off(event, listener)
  }

  /** Requests the authentication state and subscribes to notices. */
  connect(): void {
    this.#undo = this.#bridge.listen((text) => this.#onNotice(text))
    this.#call('connect', []).catch(() => undefined)
  }

  /** Cancels this window's calls, disposes of their results and removes all listeners. The client of the main process continues. */
  close(): void {
    for (const id of this.#calls) this.#bridge.cancel(id)
    for (const reference of this.#disposers) this.#dispose(reference)
    this.#undo?.()
    this.#undo = undefined
    this.removeAllListeners()
  }

  async #fetchLimits(): Promise<void> {
    this.#isFetchingLimits = true
    const limits = await this.#call('limits', []).catch(() => undefined)
    this.#isFetchingLimits = false
    if (Array.isArray(limits)) this.#limits = limits
  }

  #lobbies(): Readonly<Record<string, unknown>>[] {
    const { lobbies } = this.#authState
    return Array.isArray(lobbies) ? lobbies.filter(isRecord) : []
  }

  #dispose(reference: string): void {
    this.#disposers.delete(reference)
    this.#call('undo', [reference]).catch(() => undefined)
  }

  async #call(verb: string, args: readonly unknown[]): Promise<unknown> {
    if (!this.#undo) throw new ConfigurationError('closed', 'client')
    const id = randomText()
    const { playerRevision, session } = this.#authState
    // A window that shows nobody signs out whoever there is.
    const player = verb === 'signOut' && !session ? undefined : playerRevision
    const { text, signals, callbacks } = this.#codec.send({ id, verb, args, player } satisfies Record<keyof Call, unknown>)
    const cancel = () => this.#bridge.cancel(id)
    for (const [name, callback] of callbacks) this.#callbacks.set(name, callback)
    for (const signal of signals) signal.addEventListener('abort', cancel)
    this.#calls.add(id)
    try {
      const response = this.#send(text)
      if (signals.some(({ aborted }) => aborted)) cancel()
      return this.#read(await response)
    } finally {
      for (const name of callbacks.keys()) this.#callbacks.delete(name)
      for (const signal of signals) signal.removeEventListener('abort', cancel)
      this.#calls.delete(id)
    }
  }

  async #send(text: string): Promise<CallResult> {
    try {
      return readTexts(await this.#bridge.call(text))
    } catch (error) {
      throw new ConfigurationError('unsupported', 'createMainClient was not called in the main process', { cause: error })
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
    if (kind === 'event' && data !== undefined) this.emit(name, this.#codec.receive(data))
    const values = kind === 'callback' && args !== undefined ? this.#codec.receive(args) : undefined
    if (Array.isArray(values)) this.#callbacks.get(id)?.(...values)
  }

  #applyAuthState(snapshot: unknown): void {
    if (!isRecord(snapshot) || Number(snapshot['sequence']) <= Number(this.#authState.sequence)) return
    const { sequence, revision, sessionRevision, playerRevision, status, applicationId, lobbies, cause } = snapshot
    const previous = this.#authState
    // An unchanged session stays the same object.
    const session = revision === previous.revision ? previous.session : (snapshot['session'] ?? null)
    this.#authState = { sequence, revision, sessionRevision, playerRevision, status, session, applicationId, lobbies }
    const isChanged = previous.sessionRevision !== sessionRevision && previous.session !== session
    if (isChanged)
      this.emit('sessionChanged', { session, previous: previous.session, ...(cause !== undefined && { cause: reviveError(cause) }) })
    if (previous.status !== status) this.emit('statusChanged', { status, previous: previous.status })
  }
}

const unsupported = (what: string) => new ConfigurationError('unsupported', `${what} in a window`)

/** Parses a record of strings. */
function readTexts(text: string): Readonly<Partial<Record<string, string>>> {
  const fields: unknown = JSON.parse(text)
  return Object.fromEntries(Object.entries(isRecord(fields) ? fields : {}).map(([name, field]) => [name, String(field)]))
}
