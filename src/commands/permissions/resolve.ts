/** Whether a member may use a command in a channel, and why (S:138-165, S:278). */
import { ConfigurationError } from '../../foundation/errors'
import { requireRecord } from '../../foundation/require'
import type { ApplicationCommandPermission } from '../../wire/command'
import { allChannelsId, everyoneId } from './constants'

/** Who, where and which command; overwrites as the service returns them. */
export interface CommandPermissionInput {
  guildId: string
  applicationId?: string
  /** Of the command. Null or absent: everybody may. `'0'`: nobody but administrators. */
  defaultMemberPermissions?: string | null | undefined
  /** The permissions of the whole application in the guild. */
  appOverwrites?: readonly ApplicationCommandPermission[]
  /** The permissions of the command itself in the guild. */
  commandOverwrites?: readonly ApplicationCommandPermission[]
  member: {
    id: string
    roles: readonly string[]
    /** Decimal digits: what the member may do in the channel. */
    permissions_in_channel: string
  }
  channel: {
    id: string
    /** `thread`, or the number of a channel type. */
    type?: string | number
    /** Of a thread: the channel that it belongs to. */
    parent_id?: string
  }
  commandType?: number
  /** `picker`: whether the command is shown. `invocation`, the default: whether using it works. */
  stage?: 'picker' | 'invocation'
}

export interface CommandPermission {
  allowed: boolean
  /** For people: the rule that decided. */
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
 * Decides as the service does: administrators may use everything; then the channel must not forbid it; then the member's own entry, roles and
 * `@everyone` decide, first of the command, then of the application; then what the command asks for by default.
 *
 * An entry of the command ends the search; one of the application only forbids. Who is meant by no entry is judged by the default.
 * @throws ConfigurationError `invalid_argument` for a guild that is no id, for permissions that are no decimal digits, and for what is missing.
 */
export function resolveCommandPermission(input: CommandPermissionInput): CommandPermission {
  requireRecord(input, 'input')
  requireRecord(input.member, 'member')
  requireRecord(input.channel, 'channel')
  const granted = readBits(input.member.permissions_in_channel, 'member.permissions_in_channel')
  const mute = input.commandType === USER_COMMAND && input.stage !== 'picker' && !maySend(granted, input.channel)
  if ((granted & ADMINISTRATOR) !== 0n) return allow('Members with the Administrator permission may use every command.')
  if (mute) return deny('A user command needs permission to send messages in the channel.')
  return byChannel(input) ?? byMember(input) ?? byDefault(input, granted)
}

function maySend(granted: bigint, { type }: CommandPermissionInput['channel']): boolean {
  return (granted & (THREADS.has(type) ? SEND_MESSAGES_IN_THREADS : SEND_MESSAGES)) !== 0n
}

/** A channel can only forbid; where it allows, the member is looked at. A thread is where its channel is. */
function byChannel({
  guildId,
  channel,
  appOverwrites = [],
  commandOverwrites = [],
}: CommandPermissionInput): CommandPermission | undefined {
  const id = channel.parent_id ?? channel.id
  for (const [owner, overwrites] of levels(commandOverwrites, appOverwrites)) {
    for (const [target, words] of [
      [id, 'this channel'],
      [allChannelsId(guildId), 'all channels'],
    ] as const) {
      const entry = find(overwrites, CHANNEL, target)
      if (entry) return entry.permission ? undefined : deny(`${owner} is forbidden in ${words}.`)
    }
  }
  return undefined
}

/** Of the command's own entries the first that means the member decides; of the application's, it can only forbid. */
function byMember({ guildId, member, appOverwrites = [], commandOverwrites = [] }: CommandPermissionInput): CommandPermission | undefined {
  const everyone = everyoneId(guildId)
  for (const [owner, overwrites] of levels(commandOverwrites, appOverwrites)) {
    const roles = overwrites.filter(({ id, type }) => type === ROLE && id !== everyone && member.roles.includes(id))
    for (const [entry, words] of [
      [find(overwrites, USER, member.id), 'the member'],
      [
        roles.find(({ permission }) => permission) ?? roles[0],
        roles.some(({ permission }) => permission) ? 'one of the member’s roles' : 'the member’s roles',
      ],
      [find(overwrites, ROLE, everyone), 'everyone'],
    ] as const) {
      if (!entry) continue
      if (!entry.permission) return deny(`${owner} is forbidden for ${words}.`)
      return overwrites === commandOverwrites ? allow(`${owner} is allowed for ${words}.`) : undefined
    }
  }
  return undefined
}

function byDefault({ defaultMemberPermissions: needed }: CommandPermissionInput, granted: bigint): CommandPermission {
  if (needed === null || needed === undefined) return allow('Nothing forbids the command, and it asks for no permissions.')
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

/** The command's entries are looked at before the application's. */
const levels = (command: readonly ApplicationCommandPermission[], application: readonly ApplicationCommandPermission[]) =>
  [
    ['The command', command],
    ['The application', application],
  ] as const

const find = (overwrites: readonly ApplicationCommandPermission[], type: number, id: string) =>
  overwrites.find((each) => each.type === type && each.id === id)

const allow = (because: string): CommandPermission => ({ allowed: true, because })
const deny = (because: string): CommandPermission => ({ allowed: false, because })
