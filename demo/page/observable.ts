/** Observable value. */

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

  /** Calls the listener on every change. Returns a function that unsubscribes. */
  onChange(listener: (value: T) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Like `onChange`, and calls the listener with the current value immediately. */
  watch(listener: (value: T) => void): () => void {
    listener(this.#value)
    return this.onChange(listener)
  }
}
