/** A value that panels watch. */

export class Store<T> {
  #value: T
  readonly #listeners = new Set<(value: T) => void>()

  constructor(value: T) {
    this.#value = value
  }

  get value(): T {
    return this.#value
  }

  set(value: T): void {
    if (value === this.#value) return
    this.#value = value
    for (const listener of this.#listeners) listener(value)
  }

  /** Calls back on every change; the result ends it. */
  onChange(listener: (value: T) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls back at once, too. */
  watch(listener: (value: T) => void): () => void {
    listener(this.#value)
    return this.onChange(listener)
  }
}
