/** Checks the options of a command, of a subcommand or of a group (S:66-119). */
import type { ApplicationCommandOption } from '../wire/command'
import { readNumbers } from './installation'
import { OPTIONS } from './limits'
import { DESCRIPTION_TEXT, SLASH_NAME } from './names'
import { explainNeighbours } from './neighbours'
import { checkValues, isOptionType, type Option } from './option-values'
import { isObject, Place } from './place'
import { checkText, Neighbours } from './texts'

/** What holds the options: a command, a subcommand (1) or a group (2). Nothing deeper is read: the interface allows no more. */
type Holder = 'command' | 1 | 2

const SUB_COMMAND = 1
const GROUP = 2
const CHANNEL = 7

/** The channel types that are known (supplement A.1). */
const CHANNEL_TYPES: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16])

const isNested = (type: unknown): boolean => type === SUB_COMMAND || type === GROUP

/** Gives how many characters count towards the size of a command. */
export function checkOptions(options: unknown, holder: Holder, place: Place): number {
  const list = place.list(options, 'options', OPTIONS)
  const reading: Reading = { holder, neighbours: new Neighbours(), optional: false, nested: undefined }
  let size = 0
  for (let index = 0; index < list.length; index++) {
    const at = new Place(place, 'options', index)
    const option = list[index]
    if (isObject<keyof ApplicationCommandOption>(option)) size += checkOption(option, reading, at)
    else at.wrong('an object')
  }
  if (reading.neighbours.alike) explainNeighbours(list, place)
  return size
}

/** What the options before this one tell. */
interface Reading {
  readonly holder: Holder
  readonly neighbours: Neighbours
  /** Whether one of them was optional. */
  optional: boolean
  /** Whether the first was a subcommand or group. */
  nested: boolean | undefined
}

function checkOption(option: Option, reading: Reading, place: Place): number {
  const { neighbours } = reading
  const { type, name, description, name_localizations, description_localizations, channel_types: channels } = option
  checkType(type, reading, place)
  let size = checkText({ text: name, dictionary: name_localizations, optional: false, neighbours }, SLASH_NAME, place)
  size += checkText({ text: description, dictionary: description_localizations, optional: false }, DESCRIPTION_TEXT, place)
  checkRequired(option, reading, place)
  size += checkValues(option, place)
  if (channels !== undefined) {
    for (const [index, channel] of readNumbers(channels, 'channel_types', place)) {
      if (!CHANNEL_TYPES.has(channel)) place.note('unknown_channel_type', `channel_types[${index}]`)
    }
    noteUnfit(option, 'channel_types', { allowed: type === CHANNEL, place })
  }
  return option.options === undefined ? size : size + checkNested(option, reading, place)
}

function checkType(type: unknown, reading: Reading, place: Place): void {
  const nested = isNested(type)
  if (type === undefined) place.note('required', 'type')
  else if (!isOptionType(type)) place.note('unknown_value', 'type', { allowed: '1 to 11' })
  else if (reading.holder === GROUP) {
    if (type !== SUB_COMMAND) place.note('not_in_group', 'type')
  } else if (reading.holder === SUB_COMMAND) {
    if (nested) place.note('not_in_subcommand', 'type')
  } else if ((reading.nested ??= nested) !== nested) place.note('mixed_options', 'type')
}

/** Required options come first (S:87); subcommands and groups are neither required nor optional. */
function checkRequired({ required, type }: Option, reading: Reading, place: Place): void {
  place.flag(required, 'required')
  if (isNested(type)) {
    if (required === true) place.note('not_for_type', 'required', { type })
  } else if (required !== true) reading.optional = true
  else if (reading.optional) place.note('required_after_optional', 'required')
}

/** Only a subcommand or group that stands where it may is read further. */
function checkNested(option: Option, { holder }: Reading, place: Place): number {
  const { type, options } = option
  const group = type === GROUP
  if (type === SUB_COMMAND ? holder !== SUB_COMMAND : group && holder === 'command')
    return checkOptions(options, group ? GROUP : SUB_COMMAND, place)
  place.list(options, 'options', OPTIONS)
  noteUnfit(option, 'options', { allowed: isNested(type), place })
  return 0
}

/** A list that a type does not have. An empty one is harmless, and of an unknown type every one may be right. */
function noteUnfit(option: Option, field: 'options' | 'channel_types', { allowed, place }: { allowed: boolean; place: Place }): void {
  const { [field]: list, type } = option
  if (!allowed && isOptionType(type) && Array.isArray(list) && list.length > 0) place.note('not_for_type', field, { type })
}
