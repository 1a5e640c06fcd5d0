/** The part of a Durable Object's storage that the stores use. It has the shape of `state.storage`, so that no types of a host are needed. */

/** Reads and writes of one transaction. */
export interface DurableObjectTransaction {
  get(key: string): Promise<unknown>
  put(key: string, value: unknown): Promise<void>
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
  /** @param time epoch ms. Replaces the alarm of the object, which has one. */
  setAlarm(time: number): Promise<void>
}
