/** What the main process remembers of one page: which secret each of its stand-ins means, and which of its calls are under way. */
import { isRecord } from '../../foundation/encoding'
import { randomText } from '../../foundation/random'
import { Secret } from '../../foundation/secret'

/** Stand-ins that a window may have; one more ends the oldest. */
const MAX_REFERENCES = 256
/** Calls that a window may have under way. */
const MAX_CALLS = 256

export class WindowHandles {
  readonly #values = new Map<string, object>()
  readonly #names = new WeakMap<object, string>()
  readonly #fullTokenSets = new WeakMap<object, object>()
  readonly #disposers = new Map<string, () => unknown>()
  readonly #calls = new Map<string, AbortController>()

  /** The name of a value for this window: it means nothing to another. */
  register(value: object): string {
    const name = this.#names.get(value) ?? randomText()
    this.#names.set(value, name)
    this.#values.delete(name)
    this.#values.set(name, value)
    const [oldest] = this.#values.keys()
    if (oldest !== undefined && this.#values.size > MAX_REFERENCES) this.#values.delete(oldest)
    return name
  }

  /** Keeps what ends the thing that a call has begun, by the name of the call. It is called when the page gives the call up or has gone, if not before. */
  addDisposer(id: string, dispose: () => unknown): void {
    this.dispose(id)
    this.#names.set(dispose, id)
    this.#disposers.set(id, dispose)
  }

  /** What `lend` keeps a function by. */
  nameOf(dispose: () => unknown): string {
    return this.#names.get(dispose) ?? ''
  }

  dispose(id: string): void {
    const dispose = this.#disposers.get(id)
    this.#disposers.delete(id)
    dispose?.()
  }

  /** Remembers what a token is part of. */
  keep(accessToken: object, tokens: object): void {
    this.#fullTokenSets.set(accessToken, tokens)
  }

  /** A window may not say whose a token is: for its copy of a token set there is the one that it was made from, or the bare token. */
  fullTokenSet(value: unknown): unknown {
    const accessToken = isRecord(value) ? value['accessToken'] : undefined
    return accessToken instanceof Secret ? (this.#fullTokenSets.get(accessToken) ?? accessToken) : value
  }

  resolve(name: string | undefined): object | undefined {
    return this.#values.get(name ?? '')
  }

  /** False when there are too many calls, or one of that id. */
  begin(id: string, call: AbortController): boolean {
    if (this.#calls.size >= MAX_CALLS || this.#calls.has(id)) return false
    this.#calls.set(id, call)
    return true
  }

  end(id: string): void {
    this.#calls.delete(id)
  }

  /** The page waits for it no longer. It may have been answered a moment ago. */
  cancel(id: string): void {
    this.#calls.get(id)?.abort()
    this.dispose(id)
  }

  /** The page has gone: nobody waits for its calls. */
  forget(): void {
    for (const call of this.#calls.values()) call.abort()
    for (const id of this.#disposers.keys()) this.dispose(id)
  }
}
