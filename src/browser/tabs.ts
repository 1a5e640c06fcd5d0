/** Records that the tabs and workers of an origin share: read and written in one step, kept through reload and crash. */

const STORE = 'records'

/** What a step makes of the records it asked for; undefined deletes one. */
export type Step<T> = (records: readonly unknown[]) => { readonly records: readonly unknown[]; readonly result: T }

export interface SharedRecords {
  /**
   * One step at a time over all tabs and workers: the transaction is the lock, and a tab that dies inside it has changed nothing.
   * Rejects where the browser keeps nothing.
   */
  change<T>(keys: readonly string[], step: Step<T>): Promise<T>
  close(): void
}

/** Opens the records of a name when they are first needed, and again after the browser has closed them. */
export function openSharedRecords(name: string): SharedRecords {
  let opening: Promise<IDBDatabase> | undefined
  const forget = () => (opening = undefined)
  return {
    async change(keys, step) {
      opening ??= openDatabase(name, forget)
      opening.catch(forget)
      return changeIn(await opening, keys, step)
    },
    close() {
      void opening?.then((open) => open.close()).catch(() => {})
      forget()
    },
  }
}

function openDatabase(name: string, closed: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // In a worker too; blocked or missing in some frames and shells, where this throws.
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => void request.result.createObjectStore(STORE))
    request.addEventListener('error', () => reject(failure(request)))
    request.addEventListener('success', () => {
      const { result: database } = request
      database.addEventListener('close', closed)
      // Another tab deletes everything or brings a later version: never stand in its way.
      database.addEventListener('versionchange', () => {
        database.close()
        closed()
      })
      resolve(database)
    })
  })
}

/** The reads are all begun before the first is awaited, and the writes in the last one's event: the transaction never rests. */
function changeIn<T>(database: IDBDatabase, keys: readonly string[], step: Step<T>): Promise<T> {
  const transaction = database.transaction(STORE, 'readwrite')
  const store = transaction.objectStore(STORE)
  const reads = keys.map((key): IDBRequest<unknown> => store.get(key))
  return new Promise((resolve, reject) => {
    transaction.addEventListener('abort', () => reject(failure(transaction)))
    reads.at(-1)?.addEventListener('success', () => {
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
