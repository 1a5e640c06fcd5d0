/** Pollution of `Object.prototype` with every optional name of the source, for as long as a call runs. */
/// <reference types="vite/types/importMeta.d.ts" />

const sources: Readonly<Record<string, string>> = import.meta.glob('../../src/**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Fields that are optional anywhere in the source: a newcomer is polluted as soon as it is declared. */
const DECLARED = Object.values(sources).flatMap((source) =>
  Array.from(source.matchAll(/^ {2}(?:readonly )?(\w+)\?:/gm), ([, name = '']) => name),
)
/** Optional fields of what the SDK hands to the platform, beside those. */
const OF_PLATFORM = [
  'keepalive',
  'clone',
  'mode',
  'cache',
  'integrity',
  'redirect',
  'referrer',
  'once',
  'passive',
  'capture',
  'fatal',
  'ignoreBOM',
  'extractable',
  'evil',
]
/** Node itself fails if these are inherited: no program goes on, so none can be attacked. */
const OF_NODE = ['get', 'set', 'value', 'writable', 'then', 'cancel', 'required']
/** What tables and parts of the SDK leave out. Inherited, each ends calls, and changes none. */
export const ENDING: readonly string[] = [
  'abortGroup',
  'breaker',
  'claims',
  'closeSignal',
  'document',
  'emulatorRule',
  'error',
  'fields',
  'group',
  'idToken',
  'limit',
  'list',
  'max',
  'min',
  'reader',
  'siblingNames',
  'values',
]
const LEFT_OUT = new Set([...OF_NODE, ...ENDING])

export const NAMES: readonly string[] = Array.from(new Set([...DECLARED, ...OF_PLATFORM]))
  .filter((name) => !LEFT_OUT.has(name))
  .toSorted()

const prototype: object = Object.getPrototypeOf({})

/** One value under many names of `Object.prototype`. */
export class Pollution {
  readonly #names: readonly string[]
  readonly #value: unknown

  constructor(names: readonly string[], value: unknown) {
    this.#names = names.filter((name) => !Object.hasOwn(prototype, name))
    this.#value = value
  }

  begin(): void {
    for (const name of this.#names)
      Object.defineProperty(prototype, name, {
        value: this.#value,
        configurable: true,
        enumerable: true,
        writable: true,
      })
  }

  end(): void {
    for (const name of this.#names) Reflect.deleteProperty(prototype, name)
  }

  /** Runs work of the test itself without it. */
  pause<T>(work: () => T): T {
    this.end()
    try {
      return work()
    } finally {
      this.begin()
    }
  }
}
