/** A key of a store, for tests of the stores themselves. */
import { type StoreKey, storeKey } from './internals'

/** @param id any printable text without blanks. */
export const keyOf = (id: string): StoreKey => storeKey('1', 'seen', id)
