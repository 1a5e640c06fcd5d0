/** How much of a lobby is allowed: the interface's own table (S:343-369), as far as lobbies go. */

/** Characters of all keys and values of one dictionary, counted as code points (S:362). */
export const METADATA = 1000

/** Members in one list (S:363). */
export const MEMBERS = 25

/** Seconds (S:364). */
export const IDLE_TIMEOUT = { min: 5, max: 604_800 } as const

/** Characters of a member's other name (supplement A.2.1). */
export const ADDITIONAL_NAME = { min: 1, max: 80 } as const
