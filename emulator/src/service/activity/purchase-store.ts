/** SKUs of the application, and purchases of them: one store for the host window, the API, the gateway and the webhooks. */
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

/** Subscription that an entitlement comes from. */
export interface Subscription {
  entitlement: Entitlement
  /** Begin and end of what is paid for, in epoch milliseconds. */
  start: number
  end: number
  /** Epoch milliseconds; undefined while it renews. */
  canceledAt: number | undefined
  isOver: boolean
}

/** `renews` and `ends` are of a subscription. */
export type PurchaseState = 'owned' | 'consumed' | 'renews' | 'ends' | 'ended'

export const PurchaseType = { purchase: 1, test: 4, gift: 6, subscription: 8 } as const
const DURABLE = 2
const CONSUMABLE = 3
const SUBSCRIPTION = 5
/** Milliseconds of a period (assumed). */
const PERIOD = 30 * 86_400_000
/** Maximum delay of a timer. */
const MAX_WAIT = 2 ** 31 - 1

const DEFAULT_SKUS: readonly SkuInput[] = [
  { id: '1288100000000000001', name: 'Golden dice', price: { amount: 499, currency: 'eur' } },
  { id: '1288100000000000002', name: 'Ten extra rolls', type: 3, price: { amount: 99, currency: 'eur' } },
  { id: '1288100000000000003', name: 'Season pass', type: 5, price: { amount: 299, currency: 'eur' } },
]

export class PurchaseStore {
  readonly #context: Pick<EmulatorContext, 'seed' | 'clock' | 'events'>
  readonly #snowflakes = new Snowflakes(0n)
  #skus = [...DEFAULT_SKUS]
  #entitlements: Entitlement[] = []
  #subscriptions: Subscription[] = []
  #timer: NodeJS.Timeout | undefined

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
    this.look()
    return this.#entitlements
  }

  /** Of a player to a product, the oldest first. */
  subscriptions(skuId: string, userId: string): Subscription[] {
    this.look()
    return this.#subscriptions.filter(
      ({ entitlement }) => entitlement.sku_id === skuId && entitlement.user_id === userId,
    )
  }

  find(entitlementId: string): Entitlement | undefined {
    return this.all().find(({ id }) => id === entitlementId)
  }

  /** Those of a player that were not withdrawn. */
  entitlements(userId: string): Entitlement[] {
    return this.all().filter(({ user_id: owner, deleted }) => owner === userId && !deleted)
  }

  /** Purchases that count in a place: those of the player and of the guild that last. */
  valid(userId: string, guildId: string | undefined): Entitlement[] {
    const now = this.#context.clock.now()
    return this.all().filter(
      ({ user_id: owner, guild_id: guild, deleted, consumed, ends_at: end }) =>
        (owner === userId || (guild !== undefined && guild === guildId)) &&
        !deleted &&
        !consumed &&
        (typeof end !== 'string' || Date.parse(end) > now),
    )
  }

  /** Type of a purchase that is paid for. */
  paidType(skuId: string): number {
    return this.sku(skuId)?.type === SUBSCRIPTION ? PurchaseType.subscription : PurchaseType.purchase
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
    if (this.#isSubscription(entitlement))
      this.#subscriptions.push({
        entitlement,
        start: now,
        end: now + PERIOD,
        canceledAt: undefined,
        isOver: false,
      })
    this.#emit('CREATE', entitlement)
    this.#arm()
    return entitlement
  }

  stateOf(entitlement: Entitlement): PurchaseState {
    const subscription = this.#subscriptions.find((each) => each.entitlement === entitlement)
    if (subscription === undefined) return entitlement.consumed ? 'consumed' : 'owned'
    if (subscription.isOver) return 'ended'
    return subscription.canceledAt === undefined ? 'renews' : 'ends'
  }

  /** A subscription that is canceled ends with what is paid for. Returns false for a purchase that is none, or is over. */
  cancel(entitlement: Entitlement): boolean {
    const found = this.#subscriptions.find((each) => each.entitlement === entitlement)
    if (found === undefined || found.isOver) return false
    found.canceledAt ??= this.#context.clock.now()
    return true
  }

  /** Renews and ends subscriptions, and schedules the next look. */
  look(): void {
    const now = this.#context.clock.now()
    for (const each of this.#subscriptions) {
      if (each.isOver || each.end > now) continue
      if (each.canceledAt === undefined) renew(each, now)
      else this.#end(each, each.end)
    }
    this.#arm()
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
    for (const each of this.#subscriptions) if (each.entitlement === entitlement) each.isOver = true
    this.#emit('DELETE', entitlement)
  }

  clear(): void {
    this.#skus = [...DEFAULT_SKUS]
    this.#entitlements = []
    this.#subscriptions = []
    clearTimeout(this.#timer)
  }

  #isSubscription({ sku_id: skuId, type }: Entitlement): boolean {
    return type === PurchaseType.subscription || this.sku(skuId)?.type === SUBSCRIPTION
  }

  /** The end reaches the backend as `ENTITLEMENT_UPDATE`. A renewal changes no entitlement. */
  #end(subscription: Subscription, end: number): void {
    subscription.isOver = true
    subscription.entitlement.ends_at = new Date(end).toISOString()
    this.#emit('UPDATE', subscription.entitlement)
  }

  #arm(): void {
    clearTimeout(this.#timer)
    const { clock } = this.#context
    const next = Math.min(...this.#subscriptions.map(({ isOver, end }) => (isOver ? Infinity : end)))
    // A frozen clock comes no closer; the change that lets it run looks again.
    if (next === Infinity || clock.state().frozen) return
    const wait = Math.min(Math.max(0, next - clock.now()), MAX_WAIT)
    this.#timer = setTimeout(() => this.look(), Math.ceil(wait)).unref()
  }

  #emit(change: 'CREATE' | 'UPDATE' | 'DELETE', entitlement: Entitlement): void {
    this.#context.events.emit({ name: `ENTITLEMENT_${change}`, data: { ...entitlement } })
  }
}

function renew(subscription: Subscription, now: number): void {
  const periods = Math.floor((now - subscription.end) / PERIOD) + 1
  subscription.start = subscription.end + (periods - 1) * PERIOD
  subscription.end += periods * PERIOD
}
