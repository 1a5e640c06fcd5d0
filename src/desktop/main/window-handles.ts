/** Handle table of one page: references to secrets, disposers, and pending calls. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import { randomText } from '../../shared/foundation/crypto'
import { Secret } from '../../shared/foundation/secret'

/** Maximum number of references; one more removes the oldest. */
const MAX_REFERENCES = 256
/** Maximum number of pending calls. */
const MAX_CALLS = 256

export class WindowHandles {
  readonly #values = new Map<string, object>()
  readonly #names = new WeakMap<object, string>()
  readonly #fullTokenSets = new WeakMap<object, object>()
  readonly #disposers = new Map<string, () => unknown>()
  readonly #calls = new Map<string, AbortController>()

  /** Returns the reference of a value, valid in this window only. */
  register(value: object): string {
    const name = this.#names.get(value) ?? randomText()
    this.#names.set(value, name)
    this.#values.delete(name)
    this.#values.set(name, value)
    const [oldest] = this.#values.keys()
    if (oldest !== undefined && this.#values.size > MAX_REFERENCES) this.#values.delete(oldest)
    return name
  }

  /** Registers the disposer of a call's result. It runs on cancellation or when the page closes, at the latest. */
  addDisposer(id: string, dispose: () => unknown): void {
    this.dispose(id)
    this.#names.set(dispose, id)
    this.#disposers.set(id, dispose)
  }

  /** Returns the call id that a disposer was registered with. */
  nameOf(dispose: () => unknown): string {
    return this.#names.get(dispose) ?? ''
  }

  dispose(id: string): void {
    const dispose = this.#disposers.get(id)
    this.#disposers.delete(id)
    dispose?.()
  }

  /** Stores the token set that an access token belongs to. */
  keep(accessToken: object, tokens: object): void {
    this.#fullTokenSets.set(accessToken, tokens)
  }

  /**
   * Replaces a window's copy of a token set by the original, or by the access token alone: a window must not choose the owner of a token.
   */
  fullTokenSet(value: unknown): unknown {
    const accessToken = isRecord(value) ? value['accessToken'] : undefined
    return accessToken instanceof Secret ? (this.#fullTokenSets.get(accessToken) ?? accessToken) : value
  }

  resolve(name: string | undefined): object | undefined {
    return this.#values.get(name ?? '')
  }

  /** Returns false if there are too many calls, or one with this id. */
  begin(id: string, call: AbortController): boolean {
    if (this.#calls.size >= MAX_CALLS || this.#calls.has(id)) return false
    this.#calls.set(id, call)
    return true
  }

  end(id: string): void {
    this.#calls.delete(id)
  }

  /** Cancels a call, or disposes of its result. */
  cancel(id: string): void {
    this.#calls.get(id)?.abort()
    this.dispose(id)
  }

  /** The page closed: cancels its calls and disposes of their results. */
  forget(): void {
    for (const call of this.#calls.values()) call.abort()
    for (const id of this.#disposers.keys()) this.dispose(id)
  }
}
