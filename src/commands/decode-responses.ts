/** Validates responses with commands and permissions. What the interface calls optional may be absent or null. */
import { checkResponse, ID, listOf, matches, NUMBER, objectOf, optional, type Rule, TEXT } from '../http/check-response'
import type { ApplicationCommand, ApplicationCommandPermission, GuildApplicationCommandPermissions } from '../wire/command'

/** The type may be absent (docs/interface/commands.md#command). */
type ReceivedCommand = Omit<ApplicationCommand, 'type'> & Partial<Pick<ApplicationCommand, 'type'>>

const OPTION: Rule = (value) => OPTION_FIELDS(value)
/** The fields that the SDK itself reads. */
const OPTION_FIELDS = objectOf({
  options: optional(listOf(OPTION)),
  choices: optional(listOf(objectOf({}))),
  channel_types: optional(listOf(NUMBER)),
})
const COMMAND = objectOf<ReceivedCommand>({
  id: ID,
  application_id: ID,
  version: ID,
  type: optional(NUMBER),
  name: TEXT,
  description: TEXT,
  options: optional(listOf(OPTION)),
})
const ENTRY = objectOf<ApplicationCommandPermission>({
  id: ID,
  type: NUMBER,
  permission: matches('true or false', (value) => typeof value === 'boolean'),
})
const PERMISSIONS = objectOf<GuildApplicationCommandPermissions>({ id: ID, application_id: ID, guild_id: ID, permissions: listOf(ENTRY) })

/** @throws ProtocolError `malformed_response`. */
export const decodeCommand = (body: unknown, route: string): ApplicationCommand => withType(checkResponse(body, route, COMMAND))

export const decodeCommands = (body: unknown, route: string): ApplicationCommand[] =>
  checkResponse(body, route, listOf(COMMAND)).map(withType)

export const decodePermissions = (body: unknown, route: string): GuildApplicationCommandPermissions =>
  checkResponse(body, route, PERMISSIONS)

export const decodePermissionsList = (body: unknown, route: string): GuildApplicationCommandPermissions[] =>
  checkResponse(body, route, listOf(PERMISSIONS))

const withType = ({ type, ...command }: ReceivedCommand): ApplicationCommand => ({ ...command, type: type ?? 1 })
