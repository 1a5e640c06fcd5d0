/** Options and results of the desk of a game's purchases. */
import type { Clock } from '../../shared/foundation/clock'
import type { Snowflake } from '../../shared/foundation/ids'
import type { Log } from '../../shared/foundation/log-entry'
import type { Entitlement } from '../../shared/wire/purchase'
import type { PurchaseStore } from './purchase-store'
import type { PurchaseCallOptions, Purchases } from './purchases'

/** Purchase for which a game grants something, or takes it back. */
export interface Purchase {
  /** Id of the entitlement: the key under which a grant is stored, so that a second one with it has no effect. */
  readonly entitlementId: Snowflake
  /** Player who has bought it, or was given it, as the service states it. */
  readonly userId: Snowflake
  /** Product. */
  readonly skuId: Snowflake
  /** The purchase as the service sends it, for example with the giver of a gift. */
  readonly entitlement: Entitlement
}

/** Purchase to grant. */
export interface PurchaseGrant extends Purchase {
  /**
   * True if an earlier `grant` of this purchase may have done its work: it failed, took too long, or its process ended. Without a
   * database that refuses a second row of one id, look then whether it has.
   */
  readonly isRepeated: boolean
}

/** Purchase with which something failed. It comes again with the next call. */
export interface FailedPurchase {
  /** Id of the entitlement. */
  readonly entitlementId: Snowflake
  /** Error of the function of the game, of the store or of the service. */
  readonly error: unknown
}

/** Outcome of one call. */
export interface Redemption {
  /** Purchases that it has granted. */
  readonly granted: readonly Purchase[]
  /** Refunded purchases that it has taken back. */
  readonly revoked: readonly Purchase[]
  /** Purchases that it could not finish. `onError` has received each. */
  readonly failed: readonly FailedPurchase[]
}

/** Options of `createPurchaseDesk`. */
export interface PurchaseDeskOptions {
  /** `client.purchases` of an `ApplicationClient`. */
  purchases: Pick<Purchases, 'applicationId' | 'skus' | 'list' | 'get' | 'consume'>
  /**
   * Gives the player what the product brings, for example a row of a database whose unique column is `entitlementId`. A rejection leaves the purchase
   * as it is, and the next call tries again.
   */
  grant: (purchase: PurchaseGrant) => unknown
  /** Takes back what a refunded purchase has brought, if it has brought anything. Default: refunds are ignored. */
  revoke?: ((purchase: Purchase) => unknown) | undefined
  /**
   * Record of granted purchases, for example `redisPurchaseStore(redis)`. In development `memoryPurchaseStore()`: a restart empties it, so that
   * durable products are granted again, with the same ids.
   */
  store: PurchaseStore
  /** True grants what was bought in test mode, for which nobody has paid. Never in production. Default: false. */
  allowTest?: boolean | undefined
  /** ms for `grant` and `revoke`. The purchase of a process that was killed is held up for 2 s longer. Default: 10,000. */
  grantTimeout?: number | undefined
  /** Receives every failure, with the purchase. Default: the console. */
  onError?: ((error: unknown, entitlement: Entitlement) => unknown) | undefined
  /** Receives purchases in test mode that are refused (`purchase.test_refused`), once. Default: the console. */
  logger?: Log | undefined
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
}

/** Grants purchases. Call it as often as you like. */
export interface PurchaseDesk {
  /**
   * Asks the service what the player has bought, and grants, consumes or takes back what is open. After the sign-in of the player, when the player's page says that
   * it has bought something, and after a restart. The read is on behalf of the player, unless the options name another one.
   *
   * @param playerId of a verified player: never from the body of a request.
   * @throws the errors of `purchases.list`, and `ValidationError`. A purchase that fails is in `failed`.
   */
  redeem(playerId: string, options?: PurchaseCallOptions): Promise<Redemption>
  /**
   * The same for the one purchase of an event: `ENTITLEMENT_CREATE`, `ENTITLEMENT_UPDATE` or `ENTITLEMENT_DELETE`. Only its id is read, and the
   * service is asked for everything else.
   *
   * @throws the errors of `purchases.get`, and `ValidationError`. A purchase that fails is in `failed`.
   */
  redeemEvent(entitlement: { readonly id: string }): Promise<Redemption>
}
