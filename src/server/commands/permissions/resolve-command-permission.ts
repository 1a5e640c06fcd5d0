/** Resolves the permission of a member to use a command in a channel (docs/interface/command-permissions.md). */
import { ConfigurationError } from '../../../shared/foundation/errors'
import { callTyped, requireRecord } from '../../../shared/foundation/options'
import type { ApplicationCommandPermission } from '../../../shared/wire/command'
import { allChannelsId, everyoneId } from './everyone-id'

/** Input of `resolveCommandPermission`: member, channel and command, with permission entries as returned by the service. */
export interface CommandPermissionInput {
  /** Guild id. */
  guildId: string
  /** Application id. */
  applicationId?: string | undefined
  /** Default permissions of the command. Null or absent: everyone. `'0'`: administrators only. */
  defaultMemberPermissions?: string | null | undefined
  /** Permissions of the whole application in the guild. */
  appOverwrites?: readonly ApplicationCommandPermission[] | undefined
  /** Permissions of the command in the guild. */
  commandOverwrites?: readonly ApplicationCommandPermission[] | undefined
  /** Member, as in an interaction. */
  member: {
    id: string
    roles: readonly string[]
    /** Permission bits of the member in the channel, as a decimal string. */
    permissions_in_channel: string
  }
  /** Channel or thread, as in an interaction. */
  channel: {
    id: string
    /** `thread`, or a channel type number. */
    type?: string | number | undefined
    /** Parent channel of a thread. */
    parent_id?: string | undefined
  }
  /** Type of the command. Default: slash command. */
  commandType?: number | undefined
  /** `picker`: decides if the command is shown. `invocation`: decides if it can be used. Default: `invocation`. */
  stage?: 'picker' | 'invocation' | undefined
}

/** Result of `resolveCommandPermission`. */
export interface CommandPermission {
  /** True if the member may use the command. */
  allowed: boolean
  /** Human-readable reason. */
  because: string
}

const ADMINISTRATOR = 1n << 3n
const SEND_MESSAGES = 1n << 11n
const SEND_MESSAGES_IN_THREADS = 1n << 38n
const USER_COMMAND = 2
const ROLE = 1
const USER = 2
const CHANNEL = 3
const THREADS: ReadonlySet<unknown> = new Set(['thread', 10, 11, 12])

/**
 * Decides like the service: administrators may use everything; then the channel must not be denied; then the entries of the member, its
 * roles and `@everyone` decide, first of the command, then of the application; then the default permissions of the command.
 *
 * An entry of the command is final; an entry of the application can only deny. Without an entry, the default decides.
 *
 * @throws ConfigurationError `invalid_argument` for an invalid guild id, invalid permission bits, or missing input.
 */
export function resolveCommandPermission(input: CommandPermissionInput): CommandPermission {
  return callTyped('resolveCommandPermission', () => {
    requireRecord(input, 'input')
    requireRecord(input.member, 'member')
    requireRecord(input.channel, 'channel')
    const granted = readBits(input.member.permissions_in_channel, 'member.permissions_in_channel')
    const mute =
      input.commandType === USER_COMMAND && input.stage !== 'picker' && !maySend(granted, input.channel)
    if ((granted & ADMINISTRATOR) !== 0n)
      return allow('Members with the Administrator permission may use every command.')
    if (mute) return deny('A user command needs permission to send messages in the channel.')
    return byChannel(input) ?? byMember(input) ?? byDefault(input, granted)
  })
}

function maySend(granted: bigint, { type }: CommandPermissionInput['channel']): boolean {
  return (granted & (THREADS.has(type) ? SEND_MESSAGES_IN_THREADS : SEND_MESSAGES)) !== 0n
}

/** A channel entry can only deny; if it allows, the member is checked. A thread uses the entries of its parent. */
function byChannel(input: CommandPermissionInput): CommandPermission | undefined {
  const { guildId, channel } = input
  const id = channel.parent_id ?? channel.id
  for (const [owner, overwrites] of levels(input)) {
    for (const [target, label] of [
      [id, 'this channel'],
      [allChannelsId(guildId), 'all channels'],
    ] as const) {
      const entry = find(overwrites, CHANNEL, target)
      if (entry) return entry.permission ? undefined : deny(`${owner} is forbidden in ${label}.`)
    }
  }
  return undefined
}

/** The first matching entry of the command decides; one of the application can only deny. */
function byMember(input: CommandPermissionInput): CommandPermission | undefined {
  const { guildId, member, commandOverwrites } = input
  const everyone = everyoneId(guildId)
  for (const [owner, overwrites] of levels(input)) {
    const roles = overwrites.filter(
      ({ id, type }) => type === ROLE && id !== everyone && member.roles.includes(id),
    )
    for (const [entry, label] of [
      [find(overwrites, USER, member.id), 'the member'],
      [
        roles.find(({ permission }) => permission) ?? roles[0],
        roles.some(({ permission }) => permission) ? 'one of the member’s roles' : 'the member’s roles',
      ],
      [find(overwrites, ROLE, everyone), 'everyone'],
    ] as const) {
      if (!entry) continue
      if (!entry.permission) return deny(`${owner} is forbidden for ${label}.`)
      return overwrites === commandOverwrites ? allow(`${owner} is allowed for ${label}.`) : undefined
    }
  }
  return undefined
}

function byDefault(
  { defaultMemberPermissions: needed }: CommandPermissionInput,
  granted: bigint,
): CommandPermission {
  if (needed === null || needed === undefined)
    return allow('Nothing forbids the command, and it asks for no permissions.')
  const bits = readBits(needed, 'defaultMemberPermissions')
  if (bits === 0n) return deny('The command is for administrators, and no entry allows it for this member.')
  return (granted & bits) === bits
    ? allow('The member has every permission that the command asks for.')
    : deny(`The member lacks permissions that the command asks for: bits ${String(bits & ~granted)}.`)
}

function readBits(text: string, field: string): bigint {
  if (!/^\d+$/.test(text)) throw new ConfigurationError('invalid_argument', field)
  return BigInt(text)
}

/** Checks the entries of the command before those of the application. */
const levels = ({ commandOverwrites = [], appOverwrites = [] }: CommandPermissionInput) =>
  [
    ['The command', commandOverwrites],
    ['The application', appOverwrites],
  ] as const

const find = (overwrites: readonly ApplicationCommandPermission[], type: number, id: string) =>
  overwrites.find((each) => each.type === type && each.id === id)

const allow = (because: string): CommandPermission => ({ allowed: true, because })
const deny = (because: string): CommandPermission => ({ allowed: false, because })
