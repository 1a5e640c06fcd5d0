/** What a check of a command may find: every code with its words. */

const ERRORS = {
  required: 'is required',
  wrong_type: 'must be {expected}',
  unknown_value: 'must be one of {allowed}',
  length: 'must have {min} to {max} characters, has {actual}',
  out_of_range: 'must be {min} to {max}',
  over_maximum: 'must not be over {field}, which is {max}',
  too_many: 'must hold at most {max}, holds {actual}',
  empty: 'must not be empty',
  duplicate: 'is given at index {first} already',
  name_characters: "must hold letters, digits and - _ ' only",
  name_capitals: 'must be in lower case: {expected}',
  name_blank: 'must not be blank',
  name_taken: 'is the name of a neighbour, at index {first}',
  not_for_type: 'is not allowed for type {type}',
  not_in_guild: 'is for global commands only',
  not_in_group: 'must be 1: a group holds subcommands only',
  not_in_subcommand: 'must not be 1 or 2: a subcommand holds neither subcommands nor groups',
  mixed_options: 'must not mix: beside subcommands and groups no other option can be used',
  required_after_optional: 'must not be true after an optional option',
  choices_and_autocomplete: 'must not be true beside choices',
  too_large: 'has {actual} characters in names, descriptions and values, at most {max} are allowed',
  not_embedded: 'is for applications with an Activity only',
  not_installable: 'must be supported by the application, which supports {allowed}',
  not_discoverable: 'must not be true while players can discover the application',
  unreadable: 'must be readable',
} as const

const WARNINGS = {
  unknown_locale: 'is no known locale',
  missing_own_locale: 'has no {locale}, whose players see “{value}” instead of the default',
  shown_twice: 'is shown to players of {locale} beside the same name at index {first}',
  unknown_channel_type: 'is no known channel type',
  unknown_integration_type: 'is no known integration type',
  unknown_permission_bits: 'has bits of no known permission',
  untrimmed: 'begins or ends with a blank',
  control_character: 'has a line break or another control character',
  deprecated: 'is deprecated, use {instead}',
  contradicts_contexts: 'contradicts contexts',
  needs_user_install: 'must be beside integration type 1 to have an effect',
  constant_of_other_type: 'is a constant of type {expected}',
} as const

export type CommandErrorCode = keyof typeof ERRORS
export type CommandWarningCode = keyof typeof WARNINGS
export type CommandIssueCode = CommandErrorCode | CommandWarningCode

/** The words of an issue, with its figures. */
export function words(code: CommandIssueCode, params: Readonly<Record<string, unknown>>): string {
  return { ...ERRORS, ...WARNINGS }[code].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
}

export const isWarning = (code: CommandIssueCode): boolean => code in WARNINGS
