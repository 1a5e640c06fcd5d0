/** Steps of a desk with each purchase that the service states: claim, grant, record, consume, and take back what was refunded. */
import { pause } from '../../shared/foundation/in-time'
import { type StoreKey, storeKey } from '../keys/store-key'
import type { Clock } from '../../shared/foundation/clock'
import { randomText } from '../../shared/foundation/crypto'
import { ApiError, NetworkError } from '../../shared/foundation/errors'
import type { Log } from '../../shared/foundation/log-entry'
import type { Entitlement } from '../../shared/wire/purchase'
import type {
  FailedPurchase,
  Purchase,
  PurchaseGrant,
  PurchaseDeskOptions,
  Redemption,
} from './purchase-desk'
import { isValidAt } from './is-valid-at'
import { EntitlementType, SkuType } from './purchase-constants'
import type { PurchaseState, PurchaseStore } from './purchase-store'
import type { PurchaseCallOptions } from './purchases'
import { SkuTypes } from './sku-types'

/** ms between two attempts to claim a purchase that somebody else holds. */
const RETRY = 50
const TEST_REFUSED = 'Nobody has paid: pass allowTest: true in development, and never in production'

export interface PurchaseRedeemerParts {
  readonly purchases: PurchaseDeskOptions['purchases']
  readonly store: PurchaseStore
  readonly grant: (purchase: PurchaseGrant) => Promise<unknown>
  readonly revoke: ((purchase: Purchase) => Promise<unknown>) | undefined
  readonly allowsTest: boolean
  /** ms for which a claim lasts. */
  readonly claimTime: number
  readonly report: (error: unknown, entitlement: Entitlement) => Promise<void>
  readonly log: Log
  readonly clock: Clock
}

/** A purchase of a player, and what has to become of it. */
type Task = 'grant' | 'revoke'
/** The entitlement of a player. */
type Owned = Entitlement & { readonly user_id: NonNullable<Entitlement['user_id']> }
/** The states in which nothing is left of a task. */
const DONE: Readonly<Record<Task, readonly PurchaseState[]>> = {
  grant: ['granted', 'revoked'],
  revoke: ['revoked'],
}
const RESULT = { grant: 'granted', revoke: 'revoked' } as const

interface Claim {
  readonly key: StoreKey
  readonly owner: string
  /** State before the claim. */
  readonly before: PurchaseState | 'new'
}

interface Results {
  readonly granted: Purchase[]
  readonly revoked: Purchase[]
  readonly failed: FailedPurchase[]
}

export class PurchaseRedeemer {
  readonly #parts: PurchaseRedeemerParts
  readonly #skuTypes: SkuTypes
  #isTestReported = false

  constructor(parts: PurchaseRedeemerParts) {
    this.#parts = parts
    this.#skuTypes = new SkuTypes(parts)
  }

  async redeem(playerId: string, options: PurchaseCallOptions): Promise<Redemption> {
    const { purchases } = this.#parts
    const all = await purchases.list(
      { userId: playerId, excludeDeleted: false },
      { onBehalfOf: playerId, ...options },
    )
    return this.#settleAll(all.filter(({ user_id: owner }) => owner === playerId))
  }

  async redeemEvent(given: { readonly id: string }): Promise<Redemption> {
    const found = await this.#parts.purchases.get(given?.id)
    return this.#settleAll(found ? [found] : [])
  }

  async #settleAll(all: readonly Entitlement[]): Promise<Redemption> {
    const results: Results = { granted: [], revoked: [], failed: [] }
    for (const entitlement of all) {
      try {
        await this.#settle(entitlement, results)
      } catch (error) {
        results.failed.push({ entitlementId: entitlement.id, error })
        void this.#parts.report(error, entitlement)
      }
    }
    return results
  }

  async #settle(entitlement: Entitlement, results: Results): Promise<void> {
    const { clock, purchases, revoke } = this.#parts
    if (!isOwned(entitlement) || entitlement.application_id !== purchases.applicationId) return
    if (this.#isRefusedTest(entitlement)) return
    if (entitlement.deleted === true) {
      if (revoke) await this.#run('revoke', entitlement, results)
      return
    }
    if (entitlement.consumed === true || !isValidAt(entitlement, clock.now())) return
    const type = await this.#skuTypes.of(entitlement.sku_id)
    if (type === SkuType.SUBSCRIPTION || type === SkuType.SUBSCRIPTION_GROUP) return
    const state = await this.#run('grant', entitlement, results)
    if (state === 'granted' && type === SkuType.CONSUMABLE) await this.#consume(entitlement)
  }

  #isRefusedTest({ type }: Entitlement): boolean {
    const { allowsTest, log } = this.#parts
    if (allowsTest || type !== EntitlementType.TEST_MODE_PURCHASE) return false
    if (!this.#isTestReported) log('warn', 'purchase.test_refused', { remedy: TEST_REFUSED })
    this.#isTestReported = true
    return true
  }

  /** Resolves with the state in which the purchase is afterwards. */
  async #run(task: Task, entitlement: Owned, results: Results): Promise<PurchaseState> {
    const { store, clock, claimTime } = this.#parts
    const key = storeKey(entitlement.application_id, 'purchase', entitlement.id)
    const owner = randomText()
    for (let waited = 0; ; waited += RETRY) {
      // Without a claim, so that what is done costs one read.
      const known = await store.get(key)
      if (known && DONE[task].includes(known)) return known
      const before = await store.claim(key, owner, claimTime)
      if (before !== 'busy') return this.#runClaimed(task, entitlement, { key, owner, before, results })
      // Two claims may follow each other: somebody else takes over from a process that has ended.
      if (waited > 2 * claimTime) throw new NetworkError('timed_out', 'the claim of a purchase')
      await pause(clock, RETRY)
    }
  }

  async #runClaimed(
    task: Task,
    entitlement: Owned,
    { key, owner, before, results }: Claim & { readonly results: Results },
  ): Promise<PurchaseState> {
    const { store } = this.#parts
    const last = before === 'new' ? 'claimed' : before
    if (DONE[task].includes(last)) {
      await store.settle(key, owner, last)
      return last
    }
    const purchase = toPurchase(entitlement)
    try {
      if (task === 'grant') await this.#parts.grant({ ...purchase, isRepeated: before !== 'new' })
      else await this.#parts.revoke?.(purchase)
    } catch (error) {
      // Without an answer it may still be at work: the claim ends by itself.
      const isOver = !(error instanceof NetworkError && error.code === 'timed_out')
      if (isOver) await store.settle(key, owner, last).catch(() => false)
      throw error
    }
    const result = RESULT[task]
    const isHeld = await store.settle(key, owner, result)
    results[result].push(purchase)
    // Without the claim, somebody else has begun the same, and consumes.
    return isHeld ? result : 'claimed'
  }

  /** Another process may have consumed it. */
  async #consume({ id: entitlementId }: Entitlement): Promise<void> {
    const { purchases } = this.#parts
    try {
      await purchases.consume(entitlementId)
    } catch (error) {
      const isRefused = error instanceof ApiError
      if (!isRefused || (await purchases.get(entitlementId))?.consumed !== true) throw error
    }
  }
}

/** A purchase of a guild is nobody's. */
const isOwned = (entitlement: Entitlement): entitlement is Owned => typeof entitlement.user_id === 'string'

const toPurchase = (entitlement: Owned): Purchase => ({
  entitlementId: entitlement.id,
  userId: entitlement.user_id,
  skuId: entitlement.sku_id,
  entitlement,
})
