/** The part of a Durable Object's storage that the stores use. It has the shape of `state.storage`, so that no types of a host are needed. */
import type { Clock } from '../../shared/foundation/clock'
import { ConfigurationError } from '../../shared/foundation/errors'
import { takePort } from '../../shared/foundation/take-options'

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

/** Requirements of the storage. */
const STORAGE = {
  name: 'storage',
  methods: ['get', 'put', 'delete', 'list', 'transaction', 'getAlarm', 'setAlarm'],
  example: 'state.storage',
}

/** Returns the storage, for which nobody waits without an end. @throws ConfigurationError `invalid_argument` for anything else. */
export function takeStorage(storage: DurableObjectStorage | undefined, clock: Clock): DurableObjectStorage {
  const taken = takePort(storage, STORAGE, clock)
  if (taken) return taken
  throw new ConfigurationError('invalid_argument', 'storage', { remedy: `Pass ${STORAGE.example}` })
}
