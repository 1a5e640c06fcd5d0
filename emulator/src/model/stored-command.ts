/** A command as it is stored and returned, with all defaults filled in. */

export const CHAT_INPUT = 1
export const USER_COMMAND = 2
export const MESSAGE_COMMAND = 3
export const ENTRY_POINT = 4

export type CommandType =
  typeof CHAT_INPUT | typeof USER_COMMAND | typeof MESSAGE_COMMAND | typeof ENTRY_POINT

export const SUBCOMMAND = 1
export const GROUP = 2
export const STRING_OPTION = 3
export const INTEGER_OPTION = 4
export const CHANNEL_OPTION = 7
export const NUMBER_OPTION = 10
export const ATTACHMENT_OPTION = 11

/** Localized strings by locale. */
export type Dictionary = Record<string, string>

export interface Choice {
  name: string
  name_localizations?: Dictionary
  value: string | number
}

export interface Option {
  type: number
  name: string
  name_localizations?: Dictionary
  description: string
  description_localizations?: Dictionary
  required?: true
  autocomplete?: true
  choices?: Choice[]
  options?: Option[]
  channel_types?: number[]
  min_value?: number
  max_value?: number
  min_length?: number
  max_length?: number
  file_types?: string[]
}

export interface Definition {
  type: CommandType
  name: string
  name_localizations: Dictionary | null
  description: string
  description_localizations: Dictionary | null
  options?: Option[]
  default_member_permissions: string | null
  default_permission: boolean
  nsfw: boolean
  /** For global commands only. */
  dm_permission?: boolean
  integration_types?: number[]
  contexts?: number[] | null
  /** For an entry point only. */
  handler?: number
}

/** Scope of a command: global, or one guild. */
export interface Place {
  applicationId: string
  /** Undefined for global commands. */
  guildId: string | undefined
}

export interface Command {
  id: string
  place: Place
  version: string
  definition: Definition
}

export function isCommandType(value: unknown): value is CommandType {
  return value === CHAT_INPUT || value === USER_COMMAND || value === MESSAGE_COMMAND || value === ENTRY_POINT
}

/** Response payload of a command. A guild command has no contexts. */
export function payloadOf({ id, place, version, definition }: Command): Record<string, unknown> {
  const guild = place.guildId === undefined ? {} : { guild_id: place.guildId, contexts: null }
  return { id, application_id: place.applicationId, ...guild, version, ...definition }
}
