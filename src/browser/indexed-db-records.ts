/** Records in IndexedDB, shared by the tabs and workers of an origin, with atomic read-modify-write. */

const STORE = 'records'

/** Computes new records from the requested ones; undefined deletes a record. */
export type Update<T> = (records: readonly unknown[]) => { readonly records: readonly unknown[]; readonly result: T }

export interface Records {
  /**
   * Runs one update at a time across all tabs and workers: the transaction is the lock, and a tab that dies inside it changes nothing.
   * Rejects if storage is unavailable.
   */
  update<T>(keys: readonly string[], update: Update<T>): Promise<T>
  close(): void
}

/** Opens the database on first use, and again after a failed update, because browsers may close connections without an event. */
export function openRecords(name: string): Records {
  let opening: Promise<IDBDatabase> | undefined
  const close = () => {
    void opening?.then((open) => open.close()).catch(() => {})
    opening = undefined
  }
  const change = async <T>(keys: readonly string[], update: Update<T>): Promise<T> =>
    updateIn(await (opening ??= openDatabase(name)), keys, update)
  return {
    update: (keys, update) =>
      change(keys, update).catch(() => {
        close()
        return change(keys, update)
      }),
    close,
  }
}

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // Available in workers too; throws in some frames and shells.
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => void request.result.createObjectStore(STORE))
    request.addEventListener('error', () => reject(failure(request)))
    request.addEventListener('success', () => {
      const { result: database } = request
      // Another tab deletes or upgrades the database; an open connection would block it.
      database.addEventListener('versionchange', () => database.close())
      resolve(database)
    })
  })
}

/** Starts all reads before the first result, and writes in the last result's event, so that the transaction does not auto-commit. */
function updateIn<T>(database: IDBDatabase, keys: readonly string[], update: Update<T>): Promise<T> {
  const transaction = database.transaction(STORE, 'readwrite')
  const store = transaction.objectStore(STORE)
  const reads = keys.map((key): IDBRequest<unknown> => store.get(key))
  return new Promise((resolve, reject) => {
    transaction.addEventListener('abort', () => reject(failure(transaction)))
    reads[reads.length - 1]?.addEventListener('success', () => {
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
