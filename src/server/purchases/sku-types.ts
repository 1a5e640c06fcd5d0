/** Types of the application's products: read at the service once in ten minutes, and earlier for a product that is new. */
import type { Clock } from '../../shared/foundation/clock'
import type { Purchases } from './purchases'

/** ms for which a list is used, and ms after which it is read again for a product that it lacks. */
const LIFE = 600_000
const REST = 10_000

export interface SkuTypesParts {
  readonly purchases: Pick<Purchases, 'skus'>
  readonly clock: Clock
}

export class SkuTypes {
  readonly #parts: SkuTypesParts
  #types: ReadonlyMap<string, number> = new Map()
  #reading: Promise<void> | undefined
  #readAt = Number.NEGATIVE_INFINITY

  constructor(parts: SkuTypesParts) {
    this.#parts = parts
  }

  /** Resolves with undefined for a product that the application no longer has. */
  async of(skuId: string): Promise<number | undefined> {
    const age = this.#parts.clock.now() - this.#readAt
    if (age > (this.#types.has(skuId) ? LIFE : REST)) {
      // Those who ask meanwhile wait for the same answer.
      this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
      await this.#reading
    }
    return this.#types.get(skuId)
  }

  async #read(): Promise<void> {
    const { purchases, clock } = this.#parts
    const skus = await purchases.skus()
    this.#types = new Map(skus.map(({ id, type }) => [id, type]))
    this.#readAt = clock.now()
  }
}
