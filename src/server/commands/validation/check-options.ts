/** Validates the options of a command, subcommand or group (docs/interface/commands.md#options). */
import type { ApplicationCommandOption } from '../../../shared/wire/command'
import { isText } from '../../../shared/foundation/untrusted-values'
import { FILE_TYPE, FILE_TYPES } from '../../../shared/service/file-type'
import { numbers } from './check-contexts'
import { OPTIONS } from './command-limits'
import { DESCRIPTION_TEXT, SLASH_NAME } from './text-rule'
import { checkDuplicateNames } from './check-duplicate-names'
import { checkValues, type Option, UNKNOWN } from './check-values'
import { isObject, ValidationContext } from './validation-context'
import { checkText } from './check-text'

/** Owner of the options: a command, a subcommand (1) or a group (2). Deeper levels are not allowed and not read. */
type Owner = 'command' | 1 | 2

const SUB_COMMAND = 1
const GROUP = 2
const CHANNEL = 7
const ATTACHMENT = 11

/** Option types (docs/interface/commands.md#option-types). */
const TYPES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]

/** Known channel types (docs/interface/commands.md#channel-types). */
const CHANNEL_TYPES: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16])

/** Returns the number of characters that count towards the size of a command. */
export function checkOptions(options: unknown, owner: Owner, context: ValidationContext): number {
  const list = context.list(options, 'options', OPTIONS)
  const state: OptionState = { owner, siblingNames: [], optional: false, nested: undefined }
  let size = 0
  for (let index = 0; index < list.length; index++) {
    const at = new ValidationContext(context, 'options', index)
    const option = list[index]
    if (isObject<keyof ApplicationCommandOption>(option)) size += checkOption(option, state, at)
    else at.wrongType('an object')
  }
  if (hasDuplicates(state.siblingNames)) checkDuplicateNames(list, context)
  return size
}

/** Detects equal names, which are rare. For short lists a direct comparison is faster than a set. */
function hasDuplicates(texts: readonly string[]): boolean {
  return texts.length < 10
    ? texts.some((text, index) => texts.indexOf(text) < index)
    : new Set(texts).size < texts.length
}

/** State from the preceding options. */
interface OptionState {
  readonly owner: Owner
  /** Their names and translations. */
  readonly siblingNames: string[]
  /** True if one of them was optional. */
  optional: boolean
  /** True if the first was a subcommand or group. */
  nested: boolean | undefined
}

function checkOption(option: Option, state: OptionState, context: ValidationContext): number {
  const { siblingNames } = state
  const {
    name,
    description,
    name_localizations,
    description_localizations,
    channel_types: channels,
    file_types: files,
    options,
  } = option
  const type = checkType(option.type, state, context)
  let size = checkText(
    { text: name, dictionary: name_localizations, optional: false, siblingNames },
    SLASH_NAME,
    context,
  )
  size += checkText(
    { text: description, dictionary: description_localizations, optional: false },
    DESCRIPTION_TEXT,
    context,
  )
  checkRequired(option.required, state, { type, context })
  size += checkValues(option, type, context)
  if (channels !== undefined) {
    for (const [channel, at] of numbers(channels, 'channel_types', context)) {
      if (!CHANNEL_TYPES.has(channel)) context.warn('unknown_channel_type', at)
    }
    if (type !== CHANNEL) rejectList(channels, 'channel_types', { type, context })
  }
  if (files !== undefined) checkFileTypes(files, { type, context })
  return options === undefined ? size : size + checkNested(options, state.owner, { type, context })
}

interface Typed {
  readonly type: number
  readonly context: ValidationContext
}

const isNested = (type: number): boolean => type === SUB_COMMAND || type === GROUP

/** Returns the type that the other rules use. */
function checkType(type: unknown, state: OptionState, context: ValidationContext): number {
  if (type === undefined) context.error('required', 'type')
  else if (context.oneOf(type, 'type', TYPES)) {
    const nested = isNested(type)
    if (state.owner === GROUP) {
      if (type !== SUB_COMMAND) context.error('not_in_group', 'type')
    } else if (state.owner === SUB_COMMAND) {
      if (nested) context.error('not_in_subcommand', 'type')
    } else if ((state.nested ??= nested) !== nested) context.error('mixed_options', 'type')
    return type
  }
  return UNKNOWN
}

/** Required options come first (docs/interface/commands.md#options); subcommands and groups are neither required nor optional. */
function checkRequired(required: unknown, state: OptionState, { type, context }: Typed): void {
  context.flag(required, 'required')
  if (isNested(type)) {
    if (required === true) context.notForType('required', type)
  } else if (required !== true) state.optional = true
  else if (state.optional) context.error('required_after_optional', 'required')
}

/** As in forms. */
function checkFileTypes(files: unknown, { type, context }: Typed): void {
  for (const [index, each] of context.list(files, 'file_types', FILE_TYPES).entries())
    if (!isText(each, FILE_TYPE.pattern)) context.wrongType(FILE_TYPE.expected, `file_types[${index}]`)
  if (type !== ATTACHMENT) rejectList(files, 'file_types', { type, context })
}

/** Descends only into correctly nested subcommands and groups. */
function checkNested(options: unknown, owner: Owner, { type, context }: Typed): number {
  if (type === SUB_COMMAND && owner !== SUB_COMMAND) return checkOptions(options, SUB_COMMAND, context)
  if (type === GROUP && owner === 'command') return checkOptions(options, GROUP, context)
  context.list(options, 'options', OPTIONS)
  if (!isNested(type)) rejectList(options, 'options', { type, context })
  return 0
}

/** Adds an issue for a list that the type does not have, unless the list is empty or the type unknown. */
function rejectList(list: unknown, field: string, { type, context }: Typed): void {
  if (type !== UNKNOWN && Array.isArray(list) && list.length > 0) context.notForType(field, type)
}
