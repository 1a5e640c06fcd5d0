/** Records that the tabs and workers of an origin share: read and written in one step, kept through reload and crash. */

const STORE = 'records'

/** What a step makes of the records it asked for; undefined deletes one. */
export type Update<T> = (records: readonly unknown[]) => { readonly records: readonly unknown[]; readonly result: T }

export interface Records {
  /**
   * One step at a time over all tabs and workers: the transaction is the lock, and a tab that dies inside it has changed nothing.
   * Rejects where the browser keeps nothing.
   */
  update<T>(keys: readonly string[], step: Update<T>): Promise<T>
  close(): void
}

/** Opens the records of a name when they are first needed, and once more when a step fails: browsers close connections, and may not tell. */
export function openRecords(name: string): Records {
  let opening: Promise<IDBDatabase> | undefined
  const close = () => {
    void opening?.then((open) => open.close()).catch(() => {})
    opening = undefined
  }
  const change = async <T>(keys: readonly string[], step: Update<T>): Promise<T> =>
    updateIn(await (opening ??= openDatabase(name)), keys, step)
  return {
    update: (keys, step) =>
      change(keys, step).catch(() => {
        close()
        return change(keys, step)
      }),
    close,
  }
}

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // In a worker too; blocked or missing in some frames and shells, where this throws.
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => void request.result.createObjectStore(STORE))
    request.addEventListener('error', () => reject(failure(request)))
    request.addEventListener('success', () => {
      const { result: database } = request
      // Another tab deletes everything or brings a later version: never stand in its way.
      database.addEventListener('versionchange', () => database.close())
      resolve(database)
    })
  })
}

/** The reads are all begun before the first is awaited, and the writes in the last one's event: the transaction never rests. */
function updateIn<T>(database: IDBDatabase, keys: readonly string[], step: Update<T>): Promise<T> {
  const transaction = database.transaction(STORE, 'readwrite')
  const store = transaction.objectStore(STORE)
  const reads = keys.map((key): IDBRequest<unknown> => store.get(key))
  return new Promise((resolve, reject) => {
    transaction.addEventListener('abort', () => reject(failure(transaction)))
    reads[reads.length - 1]?.addEventListener('success', () => {
      const { records, result } = step(reads.map((read) => read.result))
      for (const [index, key] of keys.entries()) {
        if (records[index] === undefined) store.delete(key)
        else store.put(records[index], key)
      }
      transaction.addEventListener('complete', () => resolve(result))
    })
  })
}

const failure = ({ error }: { error: Error | null }): Error => error ?? new Error('IndexedDB')
