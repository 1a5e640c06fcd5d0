/** Keys for the tests of a store: those of a new application for each test, so that what earlier tests stored is not met. */
import { randomText } from '../../shared/foundation/crypto'
import { type StoreKey, type StoreKind, storeKey } from '../../server/keys/store-key'

/** Longer than any test. */
export const LONG = 600_000

/** Makes keys of one application that no other test has. */
export type TestKeys = (of: StoreKind, id?: string) => StoreKey

/** Digits of an application's id after the first, which is not zero. */
const DIGITS = 18

export function testKeys(): TestKeys {
  const text = randomText()
  const digits = Array.from({ length: DIGITS }, (_, index) => text.charCodeAt(index) % 10).join('')
  return (of, id = 'a') => storeKey(`1${digits}`, of, id)
}

/** A name of parties that share a store: letters, digits, `-` and `_`. */
export const newGroup = (): string => `test-${randomText()}`
