/** Numeric constants of products and purchases (docs/interface/activities.md#purchases). */

/** Kinds of products: bought once and kept, bought again once consumed, and paid for at intervals. */
export const SkuType = { DURABLE: 2, CONSUMABLE: 3, SUBSCRIPTION: 5, SUBSCRIPTION_GROUP: 6 } as const

/** How a purchase came about. Nobody has paid for one in test mode. */
export const EntitlementType = {
  PURCHASE: 1,
  PREMIUM_SUBSCRIPTION: 2,
  DEVELOPER_GIFT: 3,
  TEST_MODE_PURCHASE: 4,
  FREE_PURCHASE: 5,
  USER_GIFT: 6,
  PREMIUM_PURCHASE: 7,
  APPLICATION_SUBSCRIPTION: 8,
} as const
