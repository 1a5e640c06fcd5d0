/** What the main process remembers of one page: which secret each of its stand-ins means, and which of its calls are under way. */
import { isRecord } from '../../foundation/encoding'
import { randomText } from '../../foundation/random'
import { Secret } from '../../foundation/secret'

/** Stand-ins that a window may have; one more ends the oldest. */
const MAX_REFERENCES = 256
/** Calls that a window may have under way. */
const MAX_CALLS = 256

export class WindowMemory {
  readonly #values = new Map<string, object>()
  readonly #names = new WeakMap<object, string>()
  readonly #wholes = new WeakMap<object, object>()
  readonly #undos = new Map<string, () => unknown>()
  readonly #calls = new Map<string, AbortController>()

  /** The name of a value for this window: it means nothing to another. */
  refer(value: object): string {
    const name = this.#names.get(value) ?? randomText()
    this.#names.set(value, name)
    this.#values.delete(name)
    this.#values.set(name, value)
    const [oldest] = this.#values.keys()
    if (oldest !== undefined && this.#values.size > MAX_REFERENCES) this.#values.delete(oldest)
    return name
  }

  /** Keeps what ends the thing that a call has begun, by the name of the call. It is called when the page gives the call up or has gone, if not before. */
  lend(id: string, undo: () => unknown): void {
    this.undo(id)
    this.#names.set(undo, id)
    this.#undos.set(id, undo)
  }

  /** What `lend` keeps a function by. */
  nameOf(undo: () => unknown): string {
    return this.#names.get(undo) ?? ''
  }

  undo(id: string): void {
    const undo = this.#undos.get(id)
    this.#undos.delete(id)
    undo?.()
  }

  /** Remembers what a token is part of. */
  keep(accessToken: object, tokens: object): void {
    this.#wholes.set(accessToken, tokens)
  }

  /** A window may not say whose a token is: for its copy of a token set there is the one that it was made from, or the bare token. */
  original(value: unknown): unknown {
    const accessToken = isRecord(value) ? value['accessToken'] : undefined
    return accessToken instanceof Secret ? (this.#wholes.get(accessToken) ?? accessToken) : value
  }

  recall(name: string | undefined): object | undefined {
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
    this.undo(id)
  }

  /** The page has gone: nobody waits for its calls. */
  forget(): void {
    for (const call of this.#calls.values()) call.abort()
    for (const id of this.#undos.keys()) this.undo(id)
  }
}
