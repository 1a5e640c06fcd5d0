/** SKUs of the application, and what players own of them: one store for the host window, the API and the webhooks. */
import type { EmulatorContext } from '../../state/emulator-context.js'
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
  /** Owner; absent for one that a guild owns. */
  user_id?: string
  guild_id?: string
  gift_code_flags: number
  /** 1: purchase, 4: purchase in test mode, 6: gift of a user, 8: subscription of the application. */
  type: number
  consumed: boolean
  deleted: boolean
  starts_at: string | null
  /** Absent unless it ends. */
  ends_at?: string | null
  /** User who has given it; absent unless it is a gift. */
  gifter_user_id?: string
}

/** Purchase that a test or a person makes for a player. */
export interface PurchaseInput {
  skuId: string
  userId?: string | undefined
  guildId?: string | undefined
  /** Default: a purchase in test mode. */
  type?: number | undefined
  gifterId?: string | undefined
}

export const PurchaseType = { purchase: 1, test: 4, gift: 6, subscription: 8 } as const
const DURABLE = 2
const CONSUMABLE = 3

const DEFAULT_SKUS: readonly SkuInput[] = [
  { id: '1288100000000000001', name: 'Golden dice', price: { amount: 499, currency: 'eur' } },
  { id: '1288100000000000002', name: 'Ten extra rolls', type: 3, price: { amount: 99, currency: 'eur' } },
]

export class PurchaseStore {
  readonly #context: Pick<EmulatorContext, 'seed' | 'clock' | 'events'>
  readonly #snowflakes = new Snowflakes(0n)
  #skus = [...DEFAULT_SKUS]
  #entitlements: Entitlement[] = []

  constructor(context: Pick<EmulatorContext, 'seed' | 'clock' | 'events'>) {
    this.#context = context
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
      application_id: this.#context.seed.application.id,
      flags: 0,
      release_date: null,
    }))
  }

  sku(skuId: string) {
    return this.skus().find(({ id }) => id === skuId)
  }

  all(): readonly Entitlement[] {
    return this.#entitlements
  }

  find(entitlementId: string): Entitlement | undefined {
    return this.#entitlements.find(({ id }) => id === entitlementId)
  }

  /** Those of a player that were not withdrawn. */
  entitlements(userId: string): Entitlement[] {
    return this.#entitlements.filter(({ user_id: owner, deleted }) => owner === userId && !deleted)
  }

  /** A consumable that is paid for can be bought once until a backend consumes it. One in test mode is not paid for. */
  mayBuy(userId: string, skuId: string, type: number): boolean {
    const isOpen = ({ sku_id: sku, type: bought, consumed }: Entitlement) =>
      sku === skuId && bought !== PurchaseType.test && !consumed
    const isConsumable = this.sku(skuId)?.type === CONSUMABLE
    return type === PurchaseType.test || !isConsumable || !this.entitlements(userId).some(isOpen)
  }

  /** Creates an entitlement, and emits `ENTITLEMENT_CREATE`. */
  add({ skuId, userId, guildId, type = PurchaseType.test, gifterId }: PurchaseInput): Entitlement {
    const now = this.#context.clock.now()
    const entitlement: Entitlement = {
      id: this.#snowflakes.next(now),
      sku_id: skuId,
      application_id: this.#context.seed.application.id,
      ...(userId !== undefined && { user_id: userId }),
      ...(guildId !== undefined && { guild_id: guildId }),
      ...(gifterId !== undefined && { gifter_user_id: gifterId }),
      gift_code_flags: 0,
      type,
      consumed: false,
      deleted: false,
      starts_at: new Date(now).toISOString(),
    }
    this.#entitlements.push(entitlement)
    this.#emit('CREATE', entitlement)
    return entitlement
  }

  /** Marks one as consumed. Consuming it again is no error (assumed), and returns false for one that is no consumable. */
  consume(entitlement: Entitlement): boolean {
    const isConsumable = this.sku(entitlement.sku_id)?.type === CONSUMABLE
    if (isConsumable) entitlement.consumed = true
    return isConsumable
  }

  /** Withdraws one, as a refund does, and emits `ENTITLEMENT_DELETE`. */
  withdraw(entitlement: Entitlement): void {
    if (entitlement.deleted) return
    entitlement.deleted = true
    this.#emit('DELETE', entitlement)
  }

  clear(): void {
    this.#skus = [...DEFAULT_SKUS]
    this.#entitlements = []
  }

  #emit(change: 'CREATE' | 'DELETE', entitlement: Entitlement): void {
    this.#context.events.emit({ name: `ENTITLEMENT_${change}`, data: { ...entitlement } })
  }
}
