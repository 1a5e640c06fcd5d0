/** What is under way for a client, so that all of it can be ended at once. */

/** (An `AbortSignal` with a listener for each request would cost much more, and Node warns of more than ten.) */
export class Life {
  readonly #ends: ((() => void) | undefined)[] = []
  readonly #free: number[] = []
  #isOver = false

  get isOver(): boolean {
    return this.#isOver
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
    this.#isOver = true
    for (const end of this.#ends) end?.()
  }
}
