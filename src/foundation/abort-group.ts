/** Pending operations of a client, to be cancelled together. */

/** A group of cancel callbacks. Cheaper than an `AbortSignal` with a listener per request, and Node warns of more than ten listeners. */
export class AbortGroup {
  readonly #callbacks: ((() => void) | undefined)[] = []
  readonly #free: number[] = []
  #aborted = false

  get aborted(): boolean {
    return this.#aborted
  }

  /** Registers a callback for when the group ends. Returns a handle for `remove`. */
  add(end: () => void): number {
    const handle = this.#free.pop() ?? this.#callbacks.length
    this.#callbacks[handle] = end
    return handle
  }

  remove(handle: number): void {
    this.#callbacks[handle] = undefined
    this.#free.push(handle)
  }

  end(): void {
    this.#aborted = true
    for (const end of this.#callbacks) end?.()
  }
}
