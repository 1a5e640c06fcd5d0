/** Fields of a registered command in words. */
import type { CommandEntry } from './control/inspector-data.js'

/** Names of the command types. */
const KINDS: Partial<Record<number, string>> = { 1: 'slash', 2: 'user', 3: 'message', 4: 'Activity' }

/** Names of the contexts (docs/interface/commands.md). */
const CONTEXTS: Partial<Record<number, string>> = {
  0: 'guilds',
  1: 'messages with the application',
  2: 'other direct messages',
}

/** Names of the permission bits that the emulator knows (docs/interface/command-permissions.md). */
const PERMISSIONS: Partial<Record<number, string>> = {
  0: 'CREATE_INSTANT_INVITE',
  3: 'ADMINISTRATOR',
  4: 'MANAGE_CHANNELS',
  5: 'MANAGE_GUILD',
  10: 'VIEW_CHANNEL',
  11: 'SEND_MESSAGES',
  28: 'MANAGE_ROLES',
  29: 'MANAGE_WEBHOOKS',
  31: 'USE_APPLICATION_COMMANDS',
  38: 'SEND_MESSAGES_IN_THREADS',
  39: 'USE_EMBEDDED_ACTIVITIES',
  50: 'USE_EXTERNAL_APPS',
}

export function kindWords(type: number): string {
  return KINDS[type] ?? `type ${type}`
}

/** Places in which a command can be used. A guild command has no contexts. */
export function contextWords({ guild, contexts }: Pick<CommandEntry, 'guild' | 'contexts'>): string {
  if (guild !== undefined) return `in ${guild}`
  if (contexts === null) return 'in all contexts'
  return contexts.length === 0
    ? 'in no context'
    : `in ${contexts.map((context) => CONTEXTS[context] ?? `context ${context}`).join(', ')}`
}

/** Members who may use a command unless a guild's own permissions decide otherwise. */
export function permissionWords({ permissions }: Pick<CommandEntry, 'permissions'>): string {
  if (permissions === null) return 'every member'
  if (permissions === '0') return 'administrators only'
  return `members with ${bitsOf(BigInt(permissions))
    .map((bit) => PERMISSIONS[bit] ?? `bit ${bit}`)
    .join(' and ')}`
}

function bitsOf(permissions: bigint): number[] {
  return Array.from({ length: 64 }, (_, bit) => bit).filter(
    (bit) => (permissions & (1n << BigInt(bit))) !== 0n,
  )
}
