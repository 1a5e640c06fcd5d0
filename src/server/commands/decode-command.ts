/** Validates responses with commands and permissions. What the interface calls optional may be absent or null. */
import { checkResponse, ID, NUMBER, type FieldRule, TEXT } from '../../shared/http/check-response'
import type { ApplicationCommand, GuildApplicationCommandPermissions } from '../../shared/wire/command'

/** The type may be absent (docs/interface/commands.md#command). */
type ReceivedCommand = Omit<ApplicationCommand, 'type'> & Partial<Pick<ApplicationCommand, 'type'>>

/** The fields that the SDK itself reads. */
const OPTION: FieldRule = {
  fields: {
    get options() {
      return OPTIONS
    },
    choices: { isOptional: true, list: { fields: {} } },
    channel_types: { isOptional: true, list: NUMBER },
  },
}
const OPTIONS: FieldRule = { isOptional: true, list: OPTION }
const COMMAND: FieldRule<ReceivedCommand> = {
  fields: {
    id: ID,
    application_id: ID,
    version: ID,
    type: { ...NUMBER, isOptional: true },
    name: TEXT,
    description: TEXT,
    options: OPTIONS,
  },
}
const COMMANDS: FieldRule<ReceivedCommand[]> = { list: COMMAND }
const ENTRY: FieldRule = {
  fields: {
    id: ID,
    type: NUMBER,
    permission: { expected: 'true or false', fits: (value) => typeof value === 'boolean' },
  },
}
const PERMISSIONS: FieldRule<GuildApplicationCommandPermissions> = {
  fields: { id: ID, application_id: ID, guild_id: ID, permissions: { list: ENTRY } },
}
const PERMISSIONS_LIST: FieldRule<GuildApplicationCommandPermissions[]> = { list: PERMISSIONS }

/** @throws ProtocolError `malformed_response`. */
export const decodeCommand = (body: unknown, route: string): ApplicationCommand =>
  withType(checkResponse(body, route, COMMAND))

export const decodeCommands = (body: unknown, route: string): ApplicationCommand[] =>
  checkResponse(body, route, COMMANDS).map(withType)

export const decodePermissions = (body: unknown, route: string): GuildApplicationCommandPermissions =>
  checkResponse(body, route, PERMISSIONS)

export const decodePermissionsList = (body: unknown, route: string): GuildApplicationCommandPermissions[] =>
  checkResponse(body, route, PERMISSIONS_LIST)

const withType = ({ type, ...command }: ReceivedCommand): ApplicationCommand => ({
  ...command,
  type: type ?? 1,
})
