/** Checks the options of a command, of a subcommand or of a group (S:66-119). */
import type { ApplicationCommandOption } from '../wire/command'
import { numbers } from './installation'
import { OPTIONS } from './limits'
import { DESCRIPTION_TEXT, SLASH_NAME } from './names'
import { explainNeighbours } from './neighbours'
import { checkValues, type Option, UNKNOWN } from './option-values'
import { isObject, Place } from './place'
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
export function checkOptions(options: unknown, holder: Holder, place: Place): number {
  const list = place.list(options, 'options', OPTIONS)
  const reading: Reading = { holder, neighbours: [], optional: false, nested: undefined }
  let size = 0
  for (let index = 0; index < list.length; index++) {
    const at = new Place(place, 'options', index)
    const option = list[index]
    if (isObject<keyof ApplicationCommandOption>(option)) size += checkOption(option, reading, at)
    else at.wrong('an object')
  }
  if (hasTwins(reading.neighbours)) explainNeighbours(list, place)
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

function checkOption(option: Option, reading: Reading, place: Place): number {
  const { neighbours } = reading
  const { name, description, name_localizations, description_localizations, channel_types: channels, options } = option
  const type = checkType(option.type, reading, place)
  let size = checkText({ text: name, dictionary: name_localizations, optional: false, neighbours }, SLASH_NAME, place)
  size += checkText({ text: description, dictionary: description_localizations, optional: false }, DESCRIPTION_TEXT, place)
  checkRequired(option.required, reading, { type, place })
  size += checkValues(option, type, place)
  if (channels !== undefined) {
    for (const [channel, at] of numbers(channels, 'channel_types', place)) {
      if (!CHANNEL_TYPES.has(channel)) place.warn('unknown_channel_type', at)
    }
    if (type !== CHANNEL) noteUnfit(channels, 'channel_types', { type, place })
  }
  return options === undefined ? size : size + checkNested(options, reading.holder, { type, place })
}

interface Typed {
  readonly type: number
  readonly place: Place
}

const isNested = (type: number): boolean => type === SUB_COMMAND || type === GROUP

/** The type that the other rules go by. */
function checkType(type: unknown, reading: Reading, place: Place): number {
  if (type === undefined) place.note('required', 'type')
  else if (place.oneOf(type, 'type', TYPES)) {
    const nested = isNested(type)
    if (reading.holder === GROUP) {
      if (type !== SUB_COMMAND) place.note('not_in_group', 'type')
    } else if (reading.holder === SUB_COMMAND) {
      if (nested) place.note('not_in_subcommand', 'type')
    } else if ((reading.nested ??= nested) !== nested) place.note('mixed_options', 'type')
    return type
  }
  return UNKNOWN
}

/** Required options come first (S:87); subcommands and groups are neither required nor optional. */
function checkRequired(required: unknown, reading: Reading, { type, place }: Typed): void {
  place.flag(required, 'required')
  if (isNested(type)) {
    if (required === true) place.unfit('required', type)
  } else if (required !== true) reading.optional = true
  else if (reading.optional) place.note('required_after_optional', 'required')
}

/** Only a subcommand or group that stands where it may is read further. */
function checkNested(options: unknown, holder: Holder, { type, place }: Typed): number {
  if (type === SUB_COMMAND && holder !== SUB_COMMAND) return checkOptions(options, SUB_COMMAND, place)
  if (type === GROUP && holder === 'command') return checkOptions(options, GROUP, place)
  place.list(options, 'options', OPTIONS)
  if (!isNested(type)) noteUnfit(options, 'options', { type, place })
  return 0
}

/** A list that a type does not have. An empty one is harmless, and of an unknown type every one may be right. */
function noteUnfit(list: unknown, field: string, { type, place }: Typed): void {
  if (type !== UNKNOWN && Array.isArray(list) && list.length > 0) place.unfit(field, type)
}
