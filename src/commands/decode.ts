/** Looks at what the service answers before anybody relies on it. */
import { ProtocolError } from '../foundation/errors'
import { isSnowflake } from '../foundation/ids'
import type { ApplicationCommand, ApplicationCommandPermission, GuildApplicationCommandPermissions } from '../wire/command'
import { isObject } from './place'

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

/** What the SDK itself reads of a command. */
function isCommand(value: unknown): value is ApplicationCommand {
  if (!isObject<keyof ApplicationCommand>(value)) return false
  const { id, application_id, type, name, description, version, options } = value
  const texts = typeof name === 'string' && typeof description === 'string'
  return (
    isSnowflake(id) && isSnowflake(application_id) && typeof type === 'number' && texts && isSnowflake(version) && isListOrAbsent(options)
  )
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

const isListOrAbsent = (value: unknown): boolean => value === undefined || Array.isArray(value)

const malformed = (route: string, expected: string): ProtocolError => new ProtocolError('malformed_response', route, { expected })
