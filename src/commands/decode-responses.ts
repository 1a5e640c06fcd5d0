/** Validates responses with commands and permissions. */
import { ProtocolError } from '../foundation/errors'
import { isSnowflake } from '../foundation/ids'
import type {
  ApplicationCommand,
  ApplicationCommandOption,
  ApplicationCommandPermission,
  GuildApplicationCommandPermissions,
} from '../wire/command'
import { isObject } from './validation/validation-context'

/** @throws ProtocolError `malformed_response`. */
export function decodeCommand(body: unknown, route: string): ApplicationCommand {
  if (isCommand(body)) return body
  throw malformed(route, 'an application command')
}

export function decodeCommands(body: unknown, route: string): ApplicationCommand[] {
  return decodeList(body, route).map((each) => decodeCommand(each, route))
}

export function decodePermissions(body: unknown, route: string): GuildApplicationCommandPermissions {
  if (isPermissions(body)) return body
  throw malformed(route, 'permissions of a command')
}

export function decodePermissionsList(body: unknown, route: string): GuildApplicationCommandPermissions[] {
  return decodeList(body, route).map((each) => decodePermissions(each, route))
}

function decodeList(body: unknown, route: string): readonly unknown[] {
  if (Array.isArray(body)) return body
  throw malformed(route, 'a list')
}

/** Checks the fields that the SDK itself reads. */
function isCommand(value: unknown): value is ApplicationCommand {
  if (!isObject<keyof ApplicationCommand>(value)) return false
  const { id, application_id, type, name, description, version, options } = value
  const texts = typeof name === 'string' && typeof description === 'string'
  const ids = isSnowflake(id) && isSnowflake(application_id) && isSnowflake(version)
  return ids && typeof type === 'number' && texts && isListOf(options, isOption)
}

function isOption(value: unknown): boolean {
  if (!isObject<keyof ApplicationCommandOption>(value)) return false
  const { options, choices, channel_types: channels } = value
  return isListOf(options, isOption) && isListOf(choices, isObject) && isListOf(channels, (channel) => typeof channel === 'number')
}

function isPermissions(value: unknown): value is GuildApplicationCommandPermissions {
  if (!isObject<keyof GuildApplicationCommandPermissions>(value)) return false
  const { id, application_id, guild_id, permissions } = value
  return isSnowflake(id) && isSnowflake(application_id) && isSnowflake(guild_id) && Array.isArray(permissions) && permissions.every(isEntry)
}

function isEntry(value: unknown): value is ApplicationCommandPermission {
  return (
    isObject<keyof ApplicationCommandPermission>(value) &&
    isSnowflake(value.id) &&
    typeof value.type === 'number' &&
    typeof value.permission === 'boolean'
  )
}

/** Null and undefined count as an empty list. */
const isListOf = (value: unknown, fits: (element: unknown) => boolean): boolean =>
  (value ?? undefined) === undefined || (Array.isArray(value) && value.every(fits))

const malformed = (route: string, expected: string): ProtocolError => new ProtocolError('malformed_response', route, { expected })
