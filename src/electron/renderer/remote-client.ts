/** A window's side of the client that lives in the main process: calls go there, and who is signed in comes back. */
import { EventEmitter } from 'eventemitter3'
import { type AuthorizationCodeVerifier, createAuthorizationCodeVerifier } from '../../authorization/pkce'
import { isRecord } from '../../foundation/encoding'
import { randomText } from '../../foundation/random'
import { ConfigurationError } from '../../foundation/errors'
import { type Answer, type Bridge, type Call, VERBS } from '../contract'
import { createMessageCodec } from './message-codec'
import { reviveError } from './revive'

type Callback = (...args: unknown[]) => unknown

/** Who is signed in, as it was last told. */
const NOBODY = { sequence: 0, revision: 0, turn: 0, status: 'disconnected', session: null, applicationId: undefined, lobbies: [] } as const

export class RemoteClient extends EventEmitter {
  readonly #bridge: Bridge
  /** Functions of the main process that end something, by name. */
  readonly #lent = new Set<string>()
  readonly #crossing = createMessageCodec((reference) => {
    this.#lent.add(reference)
    return () => this.#giveBack(reference)
  })
  readonly #callbacks = new Map<string, Callback>()
  readonly #calls = new Set<string>()
  #presence: Readonly<Record<keyof typeof NOBODY, unknown>> = NOBODY
  #limits: unknown[] = []
  #isAsking = false
  #undo: (() => void) | undefined

  constructor(bridge: Bridge) {
    super()
    this.#bridge = bridge
    for (const [verb, crosses] of Object.entries(VERBS)) {
      if (verb in this) continue
      const refuse = () => Promise.reject(unsupported(verb))
      Object.assign(this, { [verb]: crosses ? (...args: unknown[]) => this.#call(verb, args) : refuse })
    }
  }

  get session(): unknown {
    return this.#presence.session
  }

  get status(): unknown {
    return this.#presence.status
  }

  getApplicationId(): unknown {
    return this.#presence.applicationId
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

  /** As they were when they were last asked for; asks for them again, for the next time. */
  limits(): unknown[] {
    if (!this.#isAsking) void this.#askForLimits()
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

  /** Asks for who is signed in, and for all that happens later. */
  connect(): void {
    this.#undo = this.#bridge.listen((text) => this.#onNotice(text))
    this.#call('connect', []).catch(() => undefined)
  }

  /** Gives up this window's calls, ends what they began, and hears nothing more. The client of the main process goes on. */
  close(): void {
    for (const id of this.#calls) this.#bridge.cancel(id)
    for (const reference of this.#lent) this.#giveBack(reference)
    this.#undo?.()
    this.#undo = undefined
    this.removeAllListeners()
  }

  async #askForLimits(): Promise<void> {
    this.#isAsking = true
    const limits = await this.#call('limits', []).catch(() => undefined)
    this.#isAsking = false
    if (Array.isArray(limits)) this.#limits = limits
  }

  #lobbies(): Readonly<Record<string, unknown>>[] {
    const { lobbies } = this.#presence
    return Array.isArray(lobbies) ? lobbies.filter(isRecord) : []
  }

  #giveBack(reference: string): void {
    this.#lent.delete(reference)
    this.#call('undo', [reference]).catch(() => undefined)
  }

  async #call(verb: string, args: readonly unknown[]): Promise<unknown> {
    if (!this.#undo) throw new ConfigurationError('closed', 'client')
    const id = randomText()
    const { text, signals, callbacks } = this.#crossing.send({ id, verb, args } satisfies Omit<Call, 'verb'> & { verb: string })
    const cancel = () => this.#bridge.cancel(id)
    for (const [name, callback] of callbacks) this.#callbacks.set(name, callback)
    for (const signal of signals) signal.addEventListener('abort', cancel)
    this.#calls.add(id)
    try {
      const answer = this.#send(text)
      if (signals.some(({ aborted }) => aborted)) cancel()
      return this.#read(await answer)
    } finally {
      for (const name of callbacks.keys()) this.#callbacks.delete(name)
      for (const signal of signals) signal.removeEventListener('abort', cancel)
      this.#calls.delete(id)
    }
  }

  async #send(text: string): Promise<Answer> {
    try {
      return readTexts(await this.#bridge.call(text))
    } catch (error) {
      throw new ConfigurationError('unsupported', 'createMainClient was not called in the main process', { cause: error })
    }
  }

  #read({ value, error, authState }: Answer): unknown {
    // First who is signed in: a sign-in that has resolved is seen in `session`.
    if (authState !== undefined) this.#become(this.#crossing.receive(authState))
    if (error !== undefined) throw reviveError(this.#crossing.receive(error))
    return value === undefined ? undefined : this.#crossing.receive(value, this.session)
  }

  #onNotice(text: string): void {
    const { kind, presence, id = '', args, name = '', data } = readTexts(text)
    if (kind === 'presence' && presence !== undefined) this.#become(this.#crossing.receive(presence))
    if (kind === 'event' && data !== undefined) this.emit(name, this.#crossing.receive(data))
    const values = kind === 'callback' && args !== undefined ? this.#crossing.receive(args) : undefined
    if (Array.isArray(values)) this.#callbacks.get(id)?.(...values)
  }

  #become(told: unknown): void {
    if (!isRecord(told) || Number(told['sequence']) <= Number(this.#presence.sequence)) return
    const { sequence, revision, turn, status, applicationId, lobbies, cause } = told
    const previous = this.#presence
    // The same session stays the same object.
    const session = revision === previous.revision ? previous.session : (told['session'] ?? null)
    this.#presence = { sequence, revision, turn, status, session, applicationId, lobbies }
    const isTold = previous.turn !== turn && previous.session !== session
    if (isTold)
      this.emit('sessionChanged', { session, previous: previous.session, ...(cause !== undefined && { cause: reviveError(cause) }) })
    if (previous.status !== status) this.emit('statusChanged', { status, previous: previous.status })
  }
}

const unsupported = (what: string) => new ConfigurationError('unsupported', `${what} in a window`)

/** A record of texts, from text. */
function readTexts(text: string): Readonly<Partial<Record<string, string>>> {
  const fields: unknown = JSON.parse(text)
  return Object.fromEntries(Object.entries(isRecord(fields) ? fields : {}).map(([name, field]) => [name, String(field)]))
}
