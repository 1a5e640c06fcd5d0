/** Validation issues of commands: codes and messages. */

/** Errors: the service refuses the command. */
export type CommandErrorCode =
  | 'required'
  | 'wrong_type'
  | 'unknown_value'
  | 'length'
  | 'out_of_range'
  | 'over_maximum'
  | 'too_many'
  | 'too_large'
  | 'empty'
  | 'duplicate'
  | 'unknown_locale'
  | 'name_characters'
  | 'name_capitals'
  | 'name_blank'
  | 'name_taken'
  | 'not_for_type'
  | 'not_in_guild'
  | 'not_in_group'
  | 'not_in_subcommand'
  | 'mixed_options'
  | 'required_after_optional'
  | 'choices_and_autocomplete'
  | 'not_embedded'
  | 'not_installable'
  | 'not_discoverable'
  | 'unreadable'

/** Warnings: the service accepts the command, but it may not work as intended. */
export type CommandWarningCode =
  | 'missing_own_locale'
  | 'shown_twice'
  | 'unknown_channel_type'
  | 'unknown_integration_type'
  | 'unknown_permission_bits'
  | 'untrimmed'
  | 'control_character'
  | 'deprecated'
  | 'contradicts_contexts'
  | 'needs_user_install'
  | 'constant_of_other_type'

/** Code of a command validation issue. */
export type CommandIssueCode = CommandErrorCode | CommandWarningCode

const MESSAGES: Readonly<Partial<Record<CommandIssueCode, string>>> = {
  wrong_type: 'must be {expected}',
  unknown_value: 'must be one of {allowed}',
  length: 'must have {min} to {max} characters, has {actual}',
  out_of_range: 'must be {min} to {max}',
  over_maximum: 'must be at most {field}, which is {max}',
  too_many: 'must have at most {max}, has {actual}',
  too_large: 'must have at most {max} characters in all texts, has {actual}',
  duplicate: 'is at index {first} already',
  unknown_locale: 'is no locale of the service: {hint}',
  name_characters: "must have letters, digits and - _ ' only",
  name_capitals: 'must be in lower case: {expected}',
  name_taken: 'is the name at index {first} already',
  not_for_type: 'is not for type {type}',
  not_in_guild: 'is for global commands only',
  not_in_group: 'must be 1: a group has subcommands only',
  not_in_subcommand: 'must be 3 to 11: a subcommand has no subcommands',
  mixed_options: 'must match its siblings: all 1 or 2, or none',
  not_embedded: 'is for applications with an Activity only',
  not_installable: 'must be one of {allowed}, as the application supports',
  not_discoverable: 'is not for applications that players can discover',
  missing_own_locale: 'has no {locale}, whose players see “{value}” instead',
  shown_twice: 'is what players of {locale} see at index {first} already',
  deprecated: 'is deprecated, use {instead}',
}

/** Returns the message of an issue with its parameters. */
export function messageOf(code: CommandIssueCode, params: Readonly<Record<string, unknown>>): string {
  return (
    MESSAGES[code]?.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name])) ??
    code.replaceAll('_', ' ')
  )
}
