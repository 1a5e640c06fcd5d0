/** Validates the options of a command, subcommand or group (docs/interface/commands.md#options). */
import { checkList, flag, list, pattern } from '../../../shared/foundation/rules'
import { FILE_TYPE, FILE_TYPES } from '../../../shared/service/file-type'
import type { ApplicationCommandOption } from '../../../shared/wire/command'
import { ChannelType, OptionType } from '../../../shared/wire/api-constants'
import { addUnknownNumber, numbers } from './check-contexts'
import { OPTION_EXAMPLE } from './choice-like'
import { checkDuplicateNames } from './check-duplicate-names'
import { checkText, DESCRIPTION_TEXT, SLASH_NAME } from './check-text'
import { checkValues, type Option, UNKNOWN } from './check-values'
import type { CommandPlace, CommandRule } from './command-issues'
import { OPTIONS } from './command-limits'
import { isObject } from './validation-rules'

/** Owner of the options: a command, a subcommand (1) or a group (2). Deeper levels are not allowed and not read. */
type Owner = 'command' | 1 | 2

const SUB_COMMAND = 1
const GROUP = 2
const CHANNEL = 7
const ATTACHMENT = 11

/** Option types (docs/interface/commands.md#option-types). */
const TYPES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]

/** Bounds of a list of options. More are read than are allowed, so that the issues of the last ones are not hidden. */
export const OPTION_LIST = { max: OPTIONS, read: 2 * OPTIONS, expected: `a list: [${OPTION_EXAMPLE}]` }

/** As in forms. */
const FILE_TYPE_LIST: CommandRule = {
  is: list,
  max: FILE_TYPES,
  read: 2 * FILE_TYPES,
  of: { is: pattern, ...FILE_TYPE },
}

/** Known channel types (docs/interface/commands.md#channel-types). */
const CHANNEL_TYPES: ReadonlySet<number> = new Set(Object.values(ChannelType))
const CHANNELS = { owner: 'ChannelType', of: ChannelType }

/** Returns the number of characters that count towards the size of a command. `at` is the place of the list. */
export function checkCommandOptions(options: unknown, owner: Owner, at: CommandPlace): number {
  const elements = checkList(options, at, OPTION_LIST)
  const state: OptionState = { owner, siblingNames: [], optional: false, nested: undefined }
  let size = 0
  for (let index = 0; index < elements.length; index++) {
    const place = at.element(index)
    const option = elements[index]
    if (isObject<keyof ApplicationCommandOption>(option)) size += checkOption(option, state, place)
    else place.add('wrong_type', { expected: OPTION_EXAMPLE })
  }
  if (hasDuplicates(state.siblingNames)) checkDuplicateNames(elements, at)
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

function checkOption(option: Option, state: OptionState, at: CommandPlace): number {
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
  const type = checkType(option.type, state, at)
  let size = checkText(
    { text: name, dictionary: name_localizations, optional: false, siblingNames },
    SLASH_NAME,
    at,
  )
  size += checkText(
    { text: description, dictionary: description_localizations, optional: false },
    DESCRIPTION_TEXT,
    at,
  )
  checkRequired(option.required, state, { type, at })
  size += checkValues(option, type, at)
  if (channels !== undefined) {
    for (const [channel, place] of numbers(channels, at.field('channel_types'), CHANNELS))
      if (!CHANNEL_TYPES.has(channel)) place.add('unknown_channel_type')
    if (type !== CHANNEL) rejectList(channels, type, at.field('channel_types'))
  }
  if (files !== undefined) {
    FILE_TYPE_LIST.is(files, at.field('file_types'), FILE_TYPE_LIST)
    if (type !== ATTACHMENT) rejectList(files, type, at.field('file_types'))
  }
  return options === undefined
    ? size
    : size + checkNested(options, state.owner, { type, at: at.field('options') })
}

interface Typed {
  readonly type: number
  readonly at: CommandPlace
}

const isNested = (type: number): boolean => type === SUB_COMMAND || type === GROUP

/** Returns the type that the other rules use. */
function checkType(type: unknown, state: OptionState, at: CommandPlace): number {
  if (typeof type !== 'number' || !TYPES.includes(type)) {
    if (type === undefined) at.field('type').add('required')
    else addUnknownNumber(at.field('type'), type, { allowed: TYPES, owner: 'OptionType', of: OptionType })
    return UNKNOWN
  }
  const nested = isNested(type)
  if (state.owner === GROUP) {
    if (type !== SUB_COMMAND) at.field('type').add('not_in_group')
  } else if (state.owner === SUB_COMMAND) {
    if (nested) at.field('type').add('not_in_subcommand')
  } else if ((state.nested ??= nested) !== nested) at.field('type').add('mixed_options')
  return type
}

/** Required options come first (docs/interface/commands.md#options); subcommands and groups are neither required nor optional. */
function checkRequired(required: unknown, state: OptionState, { type, at }: Typed): void {
  if (required !== undefined) flag(required, at.field('required'))
  if (isNested(type)) {
    if (required === true) at.field('required').add('not_for_type', { type })
  } else if (required !== true) state.optional = true
  else if (state.optional) at.field('required').add('required_after_optional')
}

/** Descends only into correctly nested subcommands and groups. */
function checkNested(options: unknown, owner: Owner, { type, at }: Typed): number {
  if (type === SUB_COMMAND && owner !== SUB_COMMAND) return checkCommandOptions(options, SUB_COMMAND, at)
  if (type === GROUP && owner === 'command') return checkCommandOptions(options, GROUP, at)
  checkList(options, at, OPTION_LIST)
  if (!isNested(type)) rejectList(options, type, at)
  return 0
}

/** Adds an issue for a list that the type does not have, unless the list is empty or the type unknown. */
function rejectList(elements: unknown, type: number, at: CommandPlace): void {
  if (type !== UNKNOWN && Array.isArray(elements) && elements.length > 0) at.add('not_for_type', { type })
}
