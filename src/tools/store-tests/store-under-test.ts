/** A store under test, and the test runner that tests it. */
import { systemClock } from '../../shared/foundation/clock'

/** Result of `expect(value)`, as Vitest, Jest and the package `expect` have it. */
export interface Expectation {
  /** The same value. */
  toBe(expected: unknown): void
  /** An equal value. */
  toEqual(expected: unknown): void
  /** A list with this number of elements. */
  toHaveLength(length: number): void
  /** A larger number. */
  toBeGreaterThan(least: number): void
  /** This number or a larger one. */
  toBeGreaterThanOrEqual(least: number): void
  /** A smaller number. */
  toBeLessThan(most: number): void
  /** This number or a smaller one. */
  toBeLessThanOrEqual(most: number): void
}

/** Options of every suite. */
export interface StoreTests<Store> {
  /** Defines a test: `test` of Vitest, Jest or `node:test`. */
  test: (title: string, run: () => Promise<void>) => unknown
  /** `expect` of Vitest or Jest. With `node:test`: that of the package `expect`. */
  expect: (value: unknown) => Expectation
  /**
   * Opens the store for one process. Two calls with one group give two parties that share everything. Each test has a group of its own, for
   * example as a prefix. A store whose keys are ours may ignore it, since each test has an application of its own.
   */
  open: (group: string) => Store | Promise<Store>
  /** Lets time pass on the store's clock, in ms. Default: waits. */
  pass?: ((ms: number) => Promise<void>) | undefined
  /** The store's clock, in ms, from any moment. Default: that of the machine. */
  now?: (() => number) | undefined
  /** Shortest time that the store tells apart from a delay of the machine or the network, in ms. Default: 100. */
  unit?: number | undefined
}

/** Options with their defaults. */
export type StoreUnderTest<Store> = Required<{
  [Name in keyof StoreTests<Store>]: Exclude<StoreTests<Store>[Name], undefined>
}>

const wait = (ms: number): Promise<void> => new Promise((resolve) => void systemClock.after(ms, resolve))

export function withDefaults<Store>(given: StoreTests<Store>): StoreUnderTest<Store> {
  const { pass = wait, now = () => systemClock.now(), unit = 100, ...rest } = given
  return { ...rest, pass, now, unit }
}
