/** What is under way for a client, so that all of it can be ended at once. */

/** (An `AbortSignal` with a listener for each request would cost much more, and Node warns of more than ten.) */
export class AbortGroup {
  readonly #ends: ((() => void) | undefined)[] = []
  readonly #free: number[] = []
  #aborted = false

  get aborted(): boolean {
    return this.#aborted
  }

  /** Calls `end` when life does. The place that it gets takes it out again. */
  add(end: () => void): number {
    const place = this.#free.pop() ?? this.#ends.length
    this.#ends[place] = end
    return place
  }

  remove(place: number): void {
    this.#ends[place] = undefined
    this.#free.push(place)
  }

  end(): void {
    this.#aborted = true
    for (const end of this.#ends) end?.()
  }
}
