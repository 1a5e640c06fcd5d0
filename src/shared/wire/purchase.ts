/** Products and purchases as the service sends them (docs/interface/activities.md#purchases). */
import type { Snowflake } from '../foundation/ids'

/** Product of the application. */
export interface Sku {
  /** SKU id. */
  readonly id: Snowflake
  /** Application that sells it. */
  readonly application_id: Snowflake
  /** Kind; see `SkuType`. */
  readonly type: number
  /** Name. */
  readonly name: string
  readonly [field: string]: unknown
}

/** Purchase: what a user or a guild owns. The service states each, so never believe one that a page sends. */
export interface Entitlement {
  /** Entitlement id: one for each purchase. */
  readonly id: Snowflake
  /** SKU that was bought. */
  readonly sku_id: Snowflake
  /** Application that has sold it. */
  readonly application_id: Snowflake
  /** Owner. Absent for one that a guild owns. */
  readonly user_id?: Snowflake | null
  /** Guild that owns it. */
  readonly guild_id?: Snowflake | null
  /** How it came about; see `EntitlementType`. */
  readonly type: number
  /** True once a backend has consumed it. */
  readonly consumed?: boolean | null
  /** True once it was refunded or withdrawn. */
  readonly deleted?: boolean | null
  /** Begin (ISO 8601), or null for one that always was valid. */
  readonly starts_at?: string | null
  /** End (ISO 8601), or null for one without. */
  readonly ends_at?: string | null
  /** User who has given it. Absent unless it is a gift. */
  readonly gifter_user_id?: Snowflake | null
  readonly [field: string]: unknown
}

/** Subscription of a user. */
export interface SkuSubscription {
  /** Subscription id. */
  readonly id: Snowflake
  /** Subscriber. */
  readonly user_id: Snowflake
  /** SKUs that it pays for. */
  readonly sku_ids: readonly Snowflake[]
  /** Entitlements that it has brought. */
  readonly entitlement_ids: readonly Snowflake[]
  /** Begin of what is paid for (ISO 8601). */
  readonly current_period_start: string | null
  /** End of what is paid for (ISO 8601). */
  readonly current_period_end: string | null
  /** 0 active, 1 inactive, 2 ending: paid for, and not renewed. */
  readonly status: number
  /** Time of the cancellation (ISO 8601), or null. */
  readonly canceled_at: string | null
  readonly [field: string]: unknown
}
