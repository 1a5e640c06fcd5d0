/** A command as it is stored and returned, with all defaults filled in. */

export const chatInput = 1
export const userCommand = 2
export const messageCommand = 3
export const entryPoint = 4

export type CommandType = typeof chatInput | typeof userCommand | typeof messageCommand | typeof entryPoint

export const subcommand = 1
export const group = 2
export const stringOption = 3
export const integerOption = 4
export const channelOption = 7
export const numberOption = 10
export const attachmentOption = 11
export const lastOptionType = 11

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
  return value === chatInput || value === userCommand || value === messageCommand || value === entryPoint
}

/** Response payload of a command. A guild command has no contexts. */
export function payloadOf({ id, place, version, definition }: Command): Record<string, unknown> {
  const guild = place.guildId === undefined ? {} : { guild_id: place.guildId, contexts: null }
  return { id, application_id: place.applicationId, ...guild, version, ...definition }
}
