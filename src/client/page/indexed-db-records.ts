/** Records in IndexedDB, shared by the tabs and workers of an origin, with atomic read-modify-write. */
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { createDeferred } from '../../shared/foundation/async'

const STORE = 'records'

/** Computes new records from the requested ones; undefined deletes a record. */
export type Update<T> = (records: readonly unknown[]) => {
  readonly records: readonly unknown[]
  readonly result: T
}

export interface Records {
  /**
   * Runs one update at a time across all tabs and workers: the transaction is the lock, and a tab that dies inside it changes nothing.
   * Rejects if storage is unavailable. A database that does not answer is left alone for a while: further updates reject at once.
   */
  update<T>(keys: readonly string[], update: Update<T>): Promise<T>
  close(): void
}

/** ms for one update, opening included. One deadline for the database: each waiting call would multiply a deadline of its own. */
const DEADLINE = 2500
/** ms after which opening is requested once more: browsers leave a page's first request unanswered at times. */
const OPEN_AGAIN = 600
/** ms until a database that did not answer is tried again. */
const REST = 10_000

/** Opens the database on first use, and again after a failed update, because browsers may close connections without an event. */
export function openRecords(name: string, clock: Clock = systemClock): Records {
  let opening: Promise<IDBDatabase> | undefined
  let unansweredAt: number | undefined
  const close = () => {
    void opening?.then((open) => open.close()).catch(() => {})
    opening = undefined
  }
  const rest = () => {
    close()
    unansweredAt = clock.now()
    return unanswered()
  }
  return {
    async update<T>(keys: readonly string[], update: Update<T>): Promise<T> {
      if (unansweredAt !== undefined && Math.abs(clock.now() - unansweredAt) < REST) throw unanswered()
      const pending = createDeferred<T>(clock, { timeout: DEADLINE, signals: [], makeError: rest })
      const change = async () =>
        updateIn(await (opening ??= openDatabase(name, clock)), { keys, update, signal: pending.signal })
      const again = () => {
        if (!pending.isSettled) close()
        return change()
      }
      change().catch(again).then(pending.resolve, pending.reject)
      const result = await pending.promise
      unansweredAt = undefined
      return result
    },
    close,
  }
}

const unanswered = (): Error => new Error('IndexedDB does not answer')

/** Resolves with the connection that is opened first; another one is closed. */
function openDatabase(name: string, clock: Clock): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    let isOpen = false
    const settle = (database: IDBDatabase) => {
      if (isOpen) return database.close()
      isOpen = true
      cancel()
      resolve(database)
    }
    const cancel = clock.after(OPEN_AGAIN, () => {
      if (!isOpen) requestDatabase(name).then(settle, reject)
    })
    requestDatabase(name).then(settle, (error: unknown) => {
      cancel()
      reject(error)
    })
  })
}

function requestDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // Available in workers too; throws in some frames and shells.
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => void request.result.createObjectStore(STORE))
    request.addEventListener('error', () => reject(failure(request)))
    request.addEventListener('success', () => {
      const { result: database } = request
      // Another tab deletes or upgrades the database; an open connection would block it.
      database.addEventListener('versionchange', () => database.close())
      resolve(database.objectStoreNames.contains(STORE) ? database : renewDatabase(database))
    })
  })
}

/** An older program, or a tab that ended while it created the database, has left it without its records. Resolves with a new one. */
function renewDatabase(database: IDBDatabase): Promise<IDBDatabase> {
  database.close()
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(database.name)
    request.addEventListener('error', () => reject(failure(request)))
    request.addEventListener('success', () => resolve(requestDatabase(database.name)))
  })
}

interface Change<T> {
  keys: readonly string[]
  update: Update<T>
  /** Aborted at the deadline: a change that was reported as failed must not happen later. */
  signal: AbortSignal
}

/** Starts all reads before the first result, and writes in the last result's event, so that the transaction does not auto-commit. */
function updateIn<T>(database: IDBDatabase, { keys, update, signal }: Change<T>): Promise<T> {
  if (signal.aborted) throw unanswered()
  const transaction = database.transaction(STORE, 'readwrite')
  const store = transaction.objectStore(STORE)
  const reads = keys.map((key): IDBRequest<unknown> => store.get(key))
  return new Promise((resolve, reject) => {
    transaction.addEventListener('abort', () => reject(failure(transaction)))
    reads[reads.length - 1]?.addEventListener('success', () => {
      if (signal.aborted) return transaction.abort()
      const { records, result } = update(reads.map((read) => read.result))
      for (const [index, key] of keys.entries()) {
        if (records[index] === undefined) store.delete(key)
        else store.put(records[index], key)
      }
      transaction.addEventListener('complete', () => resolve(result))
    })
  })
}

const failure = ({ error }: { error: Error | null }): Error => error ?? new Error('IndexedDB')
