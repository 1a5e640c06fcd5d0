/** SKUs of the application, and entitlements that test purchases created. */
import type { Clock } from '../../state/clock.js'
import type { EmulatorContext, Events } from '../../state/emulator-context.js'
import { Snowflakes } from '../../state/snowflakes.js'

/** Product of the application. */
export interface SkuInput {
  id: string
  name: string
  /** 2: durable, 3: consumable, 5: subscription. Default: 2. */
  type?: number | undefined
  /** Amount in the smallest unit of the currency. */
  price: { amount: number; currency: string }
}

export interface Entitlement {
  id: string
  sku_id: string
  application_id: string
  user_id: string
  gift_code_flags: number
  /** 4: purchase in test mode. */
  type: number
  consumed: boolean
  deleted: boolean
  starts_at: string
}

const TEST_PURCHASE = 4
const DURABLE = 2

const DEFAULT_SKUS: readonly SkuInput[] = [
  { id: '1288100000000000001', name: 'Golden dice', price: { amount: 499, currency: 'eur' } },
  { id: '1288100000000000002', name: 'Ten extra rolls', type: 3, price: { amount: 99, currency: 'eur' } },
]

export class PurchaseStore {
  readonly #applicationId: string
  readonly #clock: Clock
  readonly #events: Events
  readonly #snowflakes = new Snowflakes(0n)
  #skus = [...DEFAULT_SKUS]
  #entitlements: Entitlement[] = []

  constructor({ seed, clock, events }: Pick<EmulatorContext, 'seed' | 'clock' | 'events'>) {
    this.#applicationId = seed.application.id
    this.#clock = clock
    this.#events = events
  }

  setSkus(skus: readonly SkuInput[]): void {
    this.#skus = [...skus]
  }

  skus() {
    return this.#skus.map(({ id, name, type = DURABLE, price }) => ({
      id,
      name,
      type,
      price,
      application_id: this.#applicationId,
      flags: 0,
      release_date: null,
    }))
  }

  all(): readonly Entitlement[] {
    return this.#entitlements
  }

  entitlements(userId: string): Entitlement[] {
    return this.#entitlements.filter(({ user_id: owner }) => owner === userId)
  }

  buy(userId: string, skuId: string): Entitlement {
    const now = this.#clock.now()
    const entitlement = {
      id: this.#snowflakes.next(now),
      sku_id: skuId,
      application_id: this.#applicationId,
      user_id: userId,
      gift_code_flags: 0,
      type: TEST_PURCHASE,
      consumed: false,
      deleted: false,
      starts_at: new Date(now).toISOString(),
    }
    this.#entitlements.push(entitlement)
    this.#events.emit({ name: 'ENTITLEMENT_CREATE', data: entitlement })
    return entitlement
  }

  clear(): void {
    this.#skus = [...DEFAULT_SKUS]
    this.#entitlements = []
  }
}
