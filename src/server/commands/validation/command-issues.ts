/** Validation issues of commands: codes, texts, and a list to collect them. */
import { IssueList, type Place, type Rule, type Shape } from '../../../shared/foundation/rules'

/** Errors: the service refuses the command. */
const ERRORS = {
  required: 'required',
  wrong_type: 'must be {expected}',
  unknown_value: 'must be one of {allowed}',
  length: 'must have {min} to {max} characters, has {actual}',
  out_of_range: 'must be {min} to {max}',
  over_maximum: 'must be at most {field}, which is {max}',
  too_many: 'must have at most {max}, has {actual}',
  too_large: 'must have at most {max} characters in all texts, has {actual}',
  empty: 'empty',
  duplicate: 'is at index {first} already',
  unknown_locale: 'is no locale of the service: {hint}',
  name_characters: "must have letters, digits and - _ ' only",
  name_capitals: 'must be in lower case: {expected}',
  name_blank: 'name blank',
  name_taken: 'is the name at index {first} already',
  not_for_type: 'is not for type {type}',
  not_in_guild: 'is for global commands only',
  not_in_group: 'must be 1: a group has subcommands only',
  not_in_subcommand: 'must be 3 to 11: a subcommand has no subcommands',
  mixed_options: 'must match its siblings: all 1 or 2, or none',
  required_after_optional: 'required after optional',
  choices_and_autocomplete: 'choices and autocomplete',
  not_embedded: 'is for applications with an Activity only',
  not_installable: 'must be one of {allowed}, as the application supports',
  not_discoverable: 'is not for applications that players can discover',
  unreadable: 'unreadable',
} as const

/** Warnings: the service accepts the command, but it may not work as intended. */
const WARNINGS = {
  missing_own_locale: 'has no {locale}, whose players see “{value}” instead',
  shown_twice: 'is what players of {locale} see at index {first} already',
  unknown_channel_type: 'unknown channel type',
  unknown_integration_type: 'unknown integration type',
  unknown_permission_bits: 'unknown permission bits',
  untrimmed: 'untrimmed',
  control_character: 'control character',
  deprecated: 'is deprecated, use {instead}',
  contradicts_contexts: 'contradicts contexts',
  needs_user_install: 'needs user install',
  constant_of_other_type: 'constant of other type',
} as const

const TEXTS = { ...ERRORS, ...WARNINGS } as const
const WARNING_CODES = Object.keys(WARNINGS)

/** Code of a command validation issue. */
export type CommandIssueCode = keyof typeof TEXTS

/** Issues of one check. */
export class CommandIssues extends IssueList<typeof TEXTS> {
  /** Known locales of the previous dictionary, in order: mostly equal to the next one's, which saves look-ups. */
  readonly locales: string[] = []

  constructor() {
    super(TEXTS, WARNING_CODES)
  }
}

/** Place in a command. */
export type CommandPlace = Place<CommandIssues>

/** Rule of a value in a command. */
export type CommandRule = Rule<CommandIssues>
export type CommandShape = Shape<CommandIssues>
