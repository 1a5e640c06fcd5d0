/** The current session of a client: held in memory and in a store, and synchronized with other tabs. Makes no requests. */
import type { Clock } from '../../shared/foundation/clock'
import { SessionError, type SessionErrorCode } from '../../shared/foundation/errors'
import type { ApplicationId, UserId } from '../../shared/foundation/ids'
import type { Log } from '../../shared/foundation/log-entry'
import { isSameUser, type SessionUser } from '../../shared/tokens/session-user'
import type { TokenSet } from '../../shared/tokens/token-set'
import {
  createSession,
  isRecordOf,
  isSame,
  type Session,
  type SessionChange,
  type SessionRecord,
  type StorageKey,
  type Stored,
} from './session'
import type { ChangeText, Persist, SessionPersistence } from './stored-session'

interface CurrentSessionOptions {
  /** Default: in memory only. */
  persist: Persist | undefined
  environment: SessionEnvironment
  /** Key of the session in the store: by issuer, application and profile. Without an argument: for the client's own application. */
  storageKey: (clientId?: ApplicationId) => StorageKey
  clock: Clock
  log: Log
  closeSignal: AbortSignal
  onChange: (change: SessionChange) => void
}

export class CurrentSession {
  /** Tokens that the service refused before their end: with them the session is `stale`. */
  refused: TokenSet | undefined
  readonly #options: CurrentSessionOptions
  readonly #persistence: SessionPersistence | undefined
  #record: SessionRecord | null = null
  #session: Session | null = null
  #storageKey: StorageKey | undefined
  #network: 'there' | 'away' = 'there'
  /** Reason why the session ended, unless the game ended it. */
  #endedBy: SessionErrorCode | undefined
  #rolledBack = false
  /** Number of sessions ended here: detects data that was read before an end and is outdated. */
  #endCount = 0
  /** Ids of sessions that ended here, or that were in the store when the player signed out here: `sync` never restores them. */
  readonly #endedIds = new Set<string>()
  #isDeferring = 0
  readonly #deferred: (() => void)[] = []

  constructor(options: CurrentSessionOptions) {
    this.#options = options
    const { environment, clock, persist } = options
    this.#persistence = persist?.({
      announce: (key) => environment.announce(key),
      storageKey: () => this.storageKey,
      clock,
      log: this.log,
    })
  }

  get record(): SessionRecord | null {
    return this.#record
  }

  /** @throws SessionError `signed_out`, or the code with which the session ended. */
  requireRecord(): SessionRecord {
    if (!this.#record) throw new SessionError(this.#endedBy ?? 'signed_out')
    return this.#record
  }

  get session(): Session | null {
    return this.#session
  }

  /** True if the store returned an older state of the session than it once held. */
  get rolledBack(): boolean {
    return this.#rolledBack
  }

  get storageKey(): StorageKey {
    return this.#storageKey ?? this.#options.storageKey()
  }

  get key(): string {
    return this.storageKey.key
  }
  /** `away`: the last refresh failed because of the network. */
  set network(network: 'there' | 'away') {
    this.#network = network
  }

  /** Makes a session the current one, and stores it in place of any other. */
  async adopt(record: SessionRecord): Promise<Session> {
    this.#storageKey = this.#options.storageKey(record.clientId)
    const session = this.#set(record)
    await this.#runExclusive(async (stored) => {
      if (isRecordOf(stored) && stored.record.userId !== record.userId)
        await this.#persistence?.changeLobbies(() => undefined)
      if (isSame(this.#record, record) && stored !== 'foreign') await this.#persistence?.write(record, record)
    })
    return session
  }

  /** Loads the session from the store, unless there is a current one. */
  async restore(): Promise<Session | null> {
    if (this.#record) return this.#session
    this.#storageKey = this.#options.storageKey()
    await this.#adoptStored(() => true)
    return this.#session
  }

  /** Applies changes by other tabs. Without a current session: loads the one from the store, once `restore` or `adopt` was called. */
  async sync(): Promise<SessionRecord | null> {
    const before = this.#record
    if (before) await this.#runExclusive((stored) => this.#applyStored(before, stored))
    else if (this.#storageKey?.key === this.#options.storageKey().key) {
      const session = await this.#adoptStored(({ id }) => !this.#endedIds.has(id))
      if (session) this.#notify({ kind: 'found', session })
    }
    return this.#record
  }

  /** Stores a later state of the session and then makes it current. Resolves with false if the session is no longer current. */
  replace(from: SessionRecord, to: SessionRecord): Promise<boolean> {
    return this.#runExclusive(async (stored) => {
      await this.#applyStored(from, stored)
      if (!isSame(this.#record, from)) return false
      const next = { ...to, user: to.user ?? this.#record?.user }
      if (stored !== 'foreign') await this.#persistence?.write(next, to.epoch > from.epoch ? next : undefined)
      if (!isSame(this.#record, from)) return false
      const session = this.#set(next)
      if (to.epoch > from.epoch) this.#notify({ kind: 'refreshed', session, elsewhere: false })
      return true
    })
  }

  /** Adds the player's names to the session, whatever its tokens. */
  async keepUser(userId: UserId, user: SessionUser): Promise<void> {
    if (isSameUser(this.#record?.user, user)) return
    await this.#runExclusive(async (stored) => {
      if (this.#record) await this.#applyStored(this.#record, stored)
      const record = this.#record
      if (record?.userId !== userId || isSameUser(record.user, user)) return
      const next = { ...record, user }
      if (stored !== 'foreign') await this.#persistence?.write(next)
      if (isSame(this.#record, record)) this.#notify({ kind: 'named', session: this.#set(next) })
    })
  }

  /** Changes the list of lobbies that is kept beside a session of this player. */
  changeLobbies(userId: UserId, change: ChangeText): Promise<void> {
    return this.#runExclusive(async (stored) => {
      if (isRecordOf(stored) && stored.record.userId === userId)
        await this.#persistence?.changeLobbies(change)
    })
  }

  /** Deletes the session in memory at once and then in the store. With an error the session ended on its own, and the game is notified. */
  async end(error?: SessionError): Promise<void> {
    const record = this.#record
    this.#endCount += 1
    this.#clear(error)
    await this.#runExclusive(async (stored) => {
      const storedId = isRecordOf(stored) ? stored.record.id : undefined
      const id = record?.id ?? storedId
      if (storedId) this.#endedIds.add(storedId)
      if (id && (storedId ?? id) === id && stored !== 'foreign')
        await this.#persistence?.writeEnd(id, error?.code ?? 'signed_out')
    })
  }

  /** Defers notifications while `work` runs: listeners must not run inside a lock. */
  async withDeferredNotifications<T>(work: () => Promise<T>): Promise<T> {
    this.#isDeferring += 1
    try {
      return await work()
    } finally {
      this.#isDeferring -= 1
      if (!this.#isDeferring) for (const notification of this.#deferred.splice(0)) notification()
    }
  }

  /** Logs through the game's own listener, which must not run inside a lock either. */
  readonly log: Log = (...entry) => this.#notifyOutsideLock(() => this.#options.log(...entry))

  /** Skips deferred notifications that no longer match the current session: the player may have signed out or in meanwhile. */
  #notify(change: SessionChange): void {
    this.#notifyOutsideLock(() => {
      if ((change.session ?? null) === this.#session) this.#options.onChange(change)
    })
  }

  #notifyOutsideLock(notification: () => void): void {
    if (this.#isDeferring) this.#deferred.push(notification)
    else notification()
  }

  #set(record: SessionRecord): Session {
    const { tokens } = record
    const isFresh = () => this.refused !== tokens && this.#options.clock.now() < tokens.expiresAt
    const before = this.#record
    this.#record = record
    const hasSameTokens = this.#session && before?.tokens === tokens
    if (this.#session && hasSameTokens && before.user === record.user) return this.#session
    if (!hasSameTokens) {
      this.#network = 'there'
      this.#endedBy = undefined
      this.#rolledBack = false
    }
    this.#session = createSession(record, {
      state: () => (isFresh() ? 'fresh' : this.#network === 'away' ? 'offline' : 'stale'),
      storage: () => (this.#persistence?.lastWritten ? 'store' : 'memory'),
    })
    return this.#session
  }

  #clear(error?: SessionError): void {
    if (this.#record) this.#endedIds.add(this.#record.id)
    this.#record = null
    this.#session = null
    this.#endedBy = error?.code
    if (error) this.#notify({ kind: 'ended', error })
  }

  /** Makes the stored session current, if there is still no session after it was read. */
  #adoptStored(isWanted: (record: SessionRecord) => boolean): Promise<Session | undefined> {
    const endCount = this.#endCount
    return this.#runExclusive(async (stored) => {
      if (!isRecordOf(stored) || !isWanted(stored.record)) return undefined
      if (this.#record || endCount !== this.#endCount || this.#options.closeSignal.aborted) return undefined
      const session = this.#set(stored.record)
      this.#rolledBack = (await this.#persistence?.isOlder(stored.record)) ?? false
      return session
    })
  }

  /** A missing record means that the store was cleared; a sign-out leaves an end marker. */
  async #applyStored(before: SessionRecord, stored: Stored): Promise<void> {
    if (!isSame(this.#record, before) || typeof stored !== 'object') return
    if ('ended' in stored) {
      if (stored.ended !== before.id) return
      return this.#clear(new SessionError(stored.why))
    }
    const { record } = stored
    if (record.id !== before.id) return this.#notify({ kind: 'signed_in', session: this.#set(record) })
    if (record.epoch < before.epoch) return this.log('warn', 'session.store_rolled_back')
    if (record.epoch === before.epoch) this.#applySameTokens(before, record)
    else this.#notify({ kind: 'refreshed', session: this.#set(record), elsewhere: true })
  }

  /** The same tokens, read again: only the refresh attempt and the names may differ. */
  #applySameTokens(before: SessionRecord, { user = before.user, ...stored }: SessionRecord): void {
    const session = this.#session
    const next = this.#set({
      ...stored,
      tokens: before.tokens,
      user: isSameUser(user, before.user) ? before.user : user,
    })
    if (session !== next) this.#notify({ kind: 'named', session: next })
  }

  /** Reads and writes as one step, exclusively among all tabs. */
  #runExclusive<T>(step: (stored: Stored) => Promise<T>): Promise<T> {
    const { environment, closeSignal } = this.#options
    const run = async () => step(await this.#persistence?.read())
    return environment.lock(`${this.key} write`, { wait: WRITE_WAIT, signal: closeSignal }, () =>
      this.withDeferredNotifications(run),
    )
  }
}

/** ms that another tab may take between reading and writing. */
const WRITE_WAIT = 3000

export interface LockOptions {
  /** ms after which the work runs without the lock, since its holder may be frozen. */
  wait: number
  /** Aborts the wait. */
  signal: AbortSignal
}

export interface Lock {
  alone: boolean
}

export interface SessionEnvironment {
  /** Runs `work` under a named lock. `alone` is true if the lock is held; it is false without lock support, or after `wait`. */
  lock<T>(name: string, options: LockOptions, work: (lock: Lock) => Promise<T>): Promise<T>
  /** Notifies other tabs that the record of this key has changed. The record itself is not sent. */
  announce(key: string): void
  /**
   * Adds a listener. `changed`: another tab announced a change. `awake`: the machine woke up, or the network is back. Returns a function
   * that removes it.
   */
  watch(listener: EnvironmentListener): () => void
  /** False only if the machine reports that it has no network: a hint, since some report it wrongly. */
  online(): boolean
  /** True while the page is being closed, which makes requests fail. */
  leaving?(): boolean
}

export interface EnvironmentListener {
  changed: (key: string) => unknown
  awake: () => void
}

/** Environment of a client that shares its session with no other: local locks, no messages. */
export function singleClientEnvironment(): SessionEnvironment {
  const queues = new Map<string, Promise<unknown>>()
  return {
    lock(name, _, work) {
      const running = (queues.get(name) ?? Promise.resolve()).then(() => work({ alone: true }))
      queues.set(
        name,
        running.catch(() => undefined),
      )
      return running
    },
    announce: () => undefined,
    watch: () => () => undefined,
    online: () => true,
  }
}
