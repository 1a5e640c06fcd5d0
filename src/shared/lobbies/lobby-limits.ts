/** Limits of lobbies from the service's table (docs/interface/lobbies.md#limits). */

/** Maximum number of characters of all keys and values of one dictionary, in code points (docs/interface/lobbies.md#limits). */
export const METADATA_SIZE = 1000

/** Maximum number of keys of one dictionary (docs/interface/lobbies.md#metadata). */
export const METADATA_KEYS = 25

/** Maximum number of members in one list (docs/interface/lobbies.md#limits). */
export const MEMBERS = 25

/** Idle time-out in seconds (docs/interface/lobbies.md#limits). */
export const IDLE_TIMEOUT = { min: 5, max: 604_800 } as const

/** Length of a member's additional name in characters (docs/interface/lobbies.md#lobby-member). */
export const ADDITIONAL_NAME = { min: 1, max: 80 } as const
