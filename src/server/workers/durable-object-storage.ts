/** The part of a Durable Object's storage that the stores use. It has the shape of `state.storage`, so that no types of a host are needed. */

/** Reads and writes of one transaction. */
export interface DurableObjectTransaction {
  /** Undefined if there is no entry. */
  get(key: string): Promise<unknown>
  /** Stores an entry, and replaces one with the same key. */
  put(key: string, value: unknown): Promise<void>
  /** False if there was no entry. */
  delete(key: string): Promise<boolean>
}

/** Storage of a Durable Object: `state.storage`. */
export interface DurableObjectStorage extends DurableObjectTransaction {
  /** Entries in the order of their keys. */
  list(options: { prefix: string; startAfter?: string; limit?: number }): Promise<Map<string, unknown>>
  /** Runs reads and writes of which all or none count, with no other write in between. May run the function again. */
  transaction<T>(work: (transaction: DurableObjectTransaction) => Promise<T>): Promise<T>
  /** Epoch ms. Null without an alarm. */
  getAlarm(): Promise<number | null>
  /** Sets the one alarm of the object. @param time epoch ms. */
  setAlarm(time: number): Promise<void>
}
