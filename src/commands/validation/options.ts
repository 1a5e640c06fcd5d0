/** Checks the options of a command, of a subcommand or of a group (S:66-119). */
import type { ApplicationCommandOption } from '../../wire/command'
import { numbers } from './installation'
import { OPTIONS } from '../limits'
import { DESCRIPTION_TEXT, SLASH_NAME } from './names'
import { checkDuplicateNames } from './duplicate-names'
import { checkValues, type Option, UNKNOWN } from './option-values'
import { isObject, ValidationContext } from './validation-context'
import { checkText } from './texts'

/** What holds the options: a command, a subcommand (1) or a group (2). Nothing deeper is read: the interface allows no more. */
type Holder = 'command' | 1 | 2

const SUB_COMMAND = 1
const GROUP = 2
const CHANNEL = 7

/** Of options (S:91-103). */
const TYPES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]

/** The channel types that are known (supplement A.1). */
const CHANNEL_TYPES: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16])

/** Gives how many characters count towards the size of a command. */
export function checkOptions(options: unknown, holder: Holder, context: ValidationContext): number {
  const list = context.list(options, 'options', OPTIONS)
  const reading: Reading = { holder, neighbours: [], optional: false, nested: undefined }
  let size = 0
  for (let index = 0; index < list.length; index++) {
    const at = new ValidationContext(context, 'options', index)
    const option = list[index]
    if (isObject<keyof ApplicationCommandOption>(option)) size += checkOption(option, reading, at)
    else at.wrongType('an object')
  }
  if (hasTwins(reading.neighbours)) checkDuplicateNames(list, context)
  return size
}

/** Almost never: only then does anybody look closer. A few texts are compared quicker than a set of them is made. */
function hasTwins(texts: readonly string[]): boolean {
  return texts.length < 10 ? texts.some((text, index) => texts.indexOf(text) < index) : new Set(texts).size < texts.length
}

/** What the options before this one tell. */
interface Reading {
  readonly holder: Holder
  /** Their names and translations. */
  readonly neighbours: string[]
  /** Whether one of them was optional. */
  optional: boolean
  /** Whether the first was a subcommand or group. */
  nested: boolean | undefined
}

function checkOption(option: Option, reading: Reading, context: ValidationContext): number {
  const { neighbours } = reading
  const { name, description, name_localizations, description_localizations, channel_types: channels, options } = option
  const type = checkType(option.type, reading, context)
  let size = checkText({ text: name, dictionary: name_localizations, optional: false, neighbours }, SLASH_NAME, context)
  size += checkText({ text: description, dictionary: description_localizations, optional: false }, DESCRIPTION_TEXT, context)
  checkRequired(option.required, reading, { type, context })
  size += checkValues(option, type, context)
  if (channels !== undefined) {
    for (const [channel, at] of numbers(channels, 'channel_types', context)) {
      if (!CHANNEL_TYPES.has(channel)) context.warn('unknown_channel_type', at)
    }
    if (type !== CHANNEL) noteUnfit(channels, 'channel_types', { type, context })
  }
  return options === undefined ? size : size + checkNested(options, reading.holder, { type, context })
}

interface Typed {
  readonly type: number
  readonly context: ValidationContext
}

const isNested = (type: number): boolean => type === SUB_COMMAND || type === GROUP

/** The type that the other rules go by. */
function checkType(type: unknown, reading: Reading, context: ValidationContext): number {
  if (type === undefined) context.error('required', 'type')
  else if (context.oneOf(type, 'type', TYPES)) {
    const nested = isNested(type)
    if (reading.holder === GROUP) {
      if (type !== SUB_COMMAND) context.error('not_in_group', 'type')
    } else if (reading.holder === SUB_COMMAND) {
      if (nested) context.error('not_in_subcommand', 'type')
    } else if ((reading.nested ??= nested) !== nested) context.error('mixed_options', 'type')
    return type
  }
  return UNKNOWN
}

/** Required options come first (S:87); subcommands and groups are neither required nor optional. */
function checkRequired(required: unknown, reading: Reading, { type, context }: Typed): void {
  context.flag(required, 'required')
  if (isNested(type)) {
    if (required === true) context.notForType('required', type)
  } else if (required !== true) reading.optional = true
  else if (reading.optional) context.error('required_after_optional', 'required')
}

/** Only a subcommand or group that stands where it may is read further. */
function checkNested(options: unknown, holder: Holder, { type, context }: Typed): number {
  if (type === SUB_COMMAND && holder !== SUB_COMMAND) return checkOptions(options, SUB_COMMAND, context)
  if (type === GROUP && holder === 'command') return checkOptions(options, GROUP, context)
  context.list(options, 'options', OPTIONS)
  if (!isNested(type)) noteUnfit(options, 'options', { type, context })
  return 0
}

/** A list that a type does not have. An empty one is harmless, and of an unknown type every one may be right. */
function noteUnfit(list: unknown, field: string, { type, context }: Typed): void {
  if (type !== UNKNOWN && Array.isArray(list) && list.length > 0) context.notForType(field, type)
}
