/** Limits of lobbies. */
const HOUR = 3_600_000

export const LOBBY_LIMITS = {
  /** Keys and values of a dictionary together. */
  metadata: 1000,
  /** Members in one body; a lobby may have more. */
  membersInBody: 25,
  members: 1000,
  idleSeconds: { smallest: 5, usual: 300, largest: 604_800 },
  secret: 250,
  additionalName: 80,
  eventsUrl: 512,
  messages: { usual: 50, largest: 200, life: 72 * HOUR },
  moderation: { keys: 5, keyLength: 1024, valueLength: 2000 },
} as const
