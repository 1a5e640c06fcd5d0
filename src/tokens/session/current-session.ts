/** Keeps the one session of a client: in memory, in its store, and the same in all tabs that share the store. Knows no network. */
import type { Clock } from '../../foundation/clock'
import { SessionError, type SessionErrorCode } from '../../foundation/errors'
import type { ApplicationId } from '../../foundation/ids'
import type { Log } from '../../foundation/log'
import { createSession, type Session } from './session'
import { encodeEnd, encodeRecord, isSame, type SessionRecord, type Stored } from './record'
import { type StorageKey, SessionPersistence } from './persistence'
import type { TokenStore } from './token-store'
import type { SessionEnvironment } from './environment'

/** ms that another tab may take between reading and writing. */
const WRITE_WAIT = 3000

/** What became of the session without the game's doing. */
export type SessionChange =
  | { kind: 'renewed'; session: Session; elsewhere: boolean }
  | { kind: 'signed_in'; session: Session }
  /** Another tab signed a player in while nobody was signed in here. */
  | { kind: 'found'; session: Session }
  | { kind: 'ended'; session?: undefined; error: SessionError }

export interface CurrentSessionOptions {
  /** Undefined: memory is enough. */
  store: TokenStore | undefined
  environment: SessionEnvironment
  /** Where the store keeps the session: by issuer, application and profile. Without an argument: of the client's own application. */
  place: (clientId?: ApplicationId) => StorageKey
  clock: Clock
  log: Log
  closeSignal: AbortSignal
  onChange: (news: SessionChange) => void
}

export class CurrentSession {
  readonly #options: CurrentSessionOptions
  readonly #persistence: SessionPersistence
  #record: SessionRecord | null = null
  #session: Session | null = null
  #place: StorageKey | undefined
  #network: 'there' | 'away' = 'there'
  #endedBy: SessionErrorCode | undefined
  #rolledBack = false
  /** How often a session was ended here: what is read meanwhile came too late. */
  #ends = 0
  /** Ids of sessions that ended here, or stood in the store when the player signed out here: `sync` never brings one back. */
  readonly #ended = new Set<string>()
  #isDeferring = 0
  readonly #deferred: (() => void)[] = []

  constructor(options: CurrentSessionOptions) {
    this.#options = options
    this.#persistence = new SessionPersistence({ ...options, place: () => this.place, log: this.log })
  }

  get record(): SessionRecord | null {
    return this.#record
  }

  get session(): Session | null {
    return this.#session
  }

  /** Why there is no session any more, where it was not the game that ended it. */
  get endedBy(): SessionErrorCode | undefined {
    return this.#endedBy
  }

  /** Whether the store gave an older state of the session than it once held. */
  get rolledBack(): boolean {
    return this.#rolledBack
  }

  get place(): StorageKey {
    return this.#place ?? this.#options.place()
  }

  get key(): string {
    return this.place.key
  }

  /** `away`: the last renewal failed for want of it. */
  set network(network: 'there' | 'away') {
    this.#network = network
  }

  /** Makes a session the current one, and stores it in the place of any other. */
  async adopt(record: SessionRecord): Promise<Session> {
    this.#place = this.#options.place(record.clientId)
    const session = this.#set(record)
    await this.#exclusively(async (stored) => {
      if (isSame(this.#record, record) && stored !== 'foreign') await this.#persistence.write(encodeRecord(record), record)
    })
    return session
  }

  /** The session of the store, if there is none yet. */
  async restore(): Promise<Session | null> {
    if (this.#record) return this.#session
    this.#place = this.#options.place()
    await this.#adoptStored(() => true)
    return this.#session
  }

  /** Takes over what another tab has made of the session. Without one: the session of the store, once `restore` or `adopt` was called. */
  async sync(): Promise<SessionRecord | null> {
    const before = this.#record
    if (before) await this.#exclusively((stored) => this.#follow(before, stored))
    else if (this.#place?.key === this.#options.place().key) await this.#readStored()
    return this.#record
  }

  /** Stores a later state of the session and only then uses it. False when it is not the current one any more. */
  replace(from: SessionRecord, to: SessionRecord): Promise<boolean> {
    return this.#exclusively(async (stored) => {
      await this.#follow(from, stored)
      if (!isSame(this.#record, from)) return false
      if (stored !== 'foreign') await this.#persistence.write(encodeRecord(to), to.epoch > from.epoch ? to : undefined)
      if (!isSame(this.#record, from)) return false
      const session = this.#set(to)
      if (to.epoch > from.epoch) this.#notify({ kind: 'renewed', session, elsewhere: false })
      return true
    })
  }

  /** Forgets the session, here at once and then in the store. With an error: the session ended by itself, and the game is told. */
  async end(error?: SessionError): Promise<void> {
    const record = this.#record
    this.#ends += 1
    this.#clear(error)
    await this.#exclusively(async (stored) => {
      const kept = isRecordOf(stored) ? stored.record.id : undefined
      const id = record?.id ?? kept
      if (kept) this.#ended.add(kept)
      if (id && (kept ?? id) === id && stored !== 'foreign') await this.#persistence.write(encodeEnd(id, error?.code ?? 'signed_out'))
    })
  }

  /** Runs work during which the game hears nothing: its listeners must not run inside a lock. */
  async withDeferredNotifications<T>(work: () => Promise<T>): Promise<T> {
    this.#isDeferring += 1
    try {
      return await work()
    } finally {
      this.#isDeferring -= 1
      if (!this.#isDeferring) for (const told of this.#deferred.splice(0)) told()
    }
  }

  /** The log of the client, which is the game's own code too. */
  readonly log: Log = (...entry) => this.#notifyOutsideLock(() => this.#options.log(...entry))

  /** Told late, it is told only if it is still so: the player may have signed out meanwhile, or in. */
  #notify(news: SessionChange): void {
    this.#notifyOutsideLock(() => {
      if ((news.session ?? null) === this.#session) this.#options.onChange(news)
    })
  }

  #notifyOutsideLock(told: () => void): void {
    if (this.#isDeferring) this.#deferred.push(told)
    else told()
  }

  #set(record: SessionRecord): Session {
    const { clock } = this.#options
    const before = this.#record
    this.#record = record
    if (this.#session && before?.tokens === record.tokens) return this.#session
    this.#network = 'there'
    this.#endedBy = undefined
    this.#rolledBack = false
    this.#session = createSession(record, {
      state: () => (clock.now() < record.tokens.expiresAt ? 'fresh' : this.#network === 'away' ? 'offline' : 'stale'),
      storage: () => (this.#persistence.lastWritten ? 'store' : 'memory'),
    })
    return this.#session
  }

  #clear(error?: SessionError): void {
    const wasThere = this.#record !== null
    if (this.#record) this.#ended.add(this.#record.id)
    this.#record = null
    this.#session = null
    this.#network = 'there'
    this.#endedBy = error?.code
    if (error && wasThere) this.#notify({ kind: 'ended', error })
  }

  /** Makes the session of the store the current one, if nobody is signed in still when it has been read. */
  #adoptStored(isWanted: (record: SessionRecord) => boolean): Promise<boolean> {
    const ends = this.#ends
    return this.#exclusively(async (stored) => {
      if (!isRecordOf(stored) || !isWanted(stored.record)) return false
      if (this.#record || ends !== this.#ends || this.#options.closeSignal.aborted) return false
      this.#set(stored.record)
      this.#rolledBack = await this.#persistence.isOlder(stored.record)
      return true
    })
  }

  async #readStored(): Promise<void> {
    const isFound = await this.#adoptStored(({ id }) => !this.#ended.has(id))
    if (isFound && this.#session) this.#notify({ kind: 'found', session: this.#session })
  }

  /** A record that is gone was wiped, not signed out: that leaves a mark of its own. */
  async #follow(before: SessionRecord, stored: Stored): Promise<void> {
    if (!isSame(this.#record, before) || typeof stored !== 'object') return
    if ('ended' in stored) {
      if (stored.ended !== before.id) return
      return this.#clear(new SessionError(stored.why))
    }
    const { record } = stored
    if (record.id !== before.id) return this.#notify({ kind: 'signed_in', session: this.#set(record) })
    if (record.epoch < before.epoch) return this.log('warn', 'session.store_rolled_back')
    // The same pair, read anew: only what is known of its renewal may differ.
    if (record.epoch === before.epoch) this.#record = { ...record, tokens: before.tokens }
    else this.#notify({ kind: 'renewed', session: this.#set(record), elsewhere: true })
  }

  /** Reads and writes as one step among all tabs. */
  #exclusively<T>(step: (stored: Stored) => Promise<T>): Promise<T> {
    const { environment, closeSignal } = this.#options
    const run = async () => step(await this.#persistence.read())
    return environment.lock(`${this.key} write`, { wait: WRITE_WAIT, signal: closeSignal }, () => this.withDeferredNotifications(run))
  }
}

function isRecordOf(stored: Stored): stored is { record: SessionRecord } {
  return typeof stored === 'object' && 'record' in stored
}

/** @throws SessionError `signed_out`, or why else the session ended. */
export function requireSession({ record, endedBy }: CurrentSession): SessionRecord {
  if (!record) throw new SessionError(endedBy ?? 'signed_out')
  return record
}
