/** Intents of the gateway: kinds of events that a bot asks for. */

/** Each a bit. */
export const INTENT = {
  GUILDS: 1 << 0,
  GUILD_MEMBERS: 1 << 1,
  GUILD_MODERATION: 1 << 2,
  GUILD_EXPRESSIONS: 1 << 3,
  GUILD_INTEGRATIONS: 1 << 4,
  GUILD_WEBHOOKS: 1 << 5,
  GUILD_INVITES: 1 << 6,
  GUILD_VOICE_STATES: 1 << 7,
  GUILD_PRESENCES: 1 << 8,
  GUILD_MESSAGES: 1 << 9,
  GUILD_MESSAGE_REACTIONS: 1 << 10,
  GUILD_MESSAGE_TYPING: 1 << 11,
  DIRECT_MESSAGES: 1 << 12,
  DIRECT_MESSAGE_REACTIONS: 1 << 13,
  DIRECT_MESSAGE_TYPING: 1 << 14,
  MESSAGE_CONTENT: 1 << 15,
  GUILD_SCHEDULED_EVENTS: 1 << 16,
  AUTO_MODERATION_CONFIGURATION: 1 << 20,
  AUTO_MODERATION_EXECUTION: 1 << 21,
  GUILD_MESSAGE_POLLS: 1 << 24,
  DIRECT_MESSAGE_POLLS: 1 << 25,
} as const

/** Intents that an application has only if its portal grants them. */
export const PRIVILEGED_INTENTS = ['GUILD_MEMBERS', 'GUILD_PRESENCES', 'MESSAGE_CONTENT'] as const

export type PrivilegedIntent = (typeof PRIVILEGED_INTENTS)[number]

const ALL = Object.values(INTENT).reduce((sum, bit) => sum | bit, 0)

/** True if every bit is an intent. */
export function areIntents(bits: unknown): bits is number {
  return typeof bits === 'number' && Number.isInteger(bits) && bits >= 0 && bits <= ALL && (bits & ~ALL) === 0
}

export function intentNames(bits: number): string[] {
  return Object.entries(INTENT).flatMap(([name, bit]) => ((bits & bit) === 0 ? [] : [name]))
}
