/** Checks components: their fields, and the rules between fields and between components. */
import { countCharacters } from '../commands/validation/count-characters'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { type ValueRule, RuleReader } from './rule-reader'
import {
  BUTTON,
  CHECKBOX_GROUP,
  FILE_UPLOAD,
  LABEL,
  RADIO_GROUP,
  ROW,
  SELECTS,
  shapeOf,
  TEXT_DISPLAY,
  TEXT_INPUT,
} from './component-shapes'
import type { Place } from './message-issue-code'

type Fields = Readonly<Record<string, unknown>>

const LINK = 5
const PREMIUM = 6

/** A reader whose components are checked by the tables of this folder. */
export function createReader(): RuleReader {
  const reader: RuleReader = new RuleReader((value, allowed, place) =>
    checkComponent(reader, value, { allowed, place }),
  )
  return reader
}

function checkComponent(
  reader: RuleReader,
  value: unknown,
  { allowed, place }: { allowed: readonly number[]; place: Place },
): void {
  if (!isRecord(value)) return place.add('wrong_type', { expected: 'an object' })
  const { type } = value
  if (type === undefined) return place.field('type').add('required')
  if (typeof type !== 'number' || !allowed.includes(type))
    return place.field('type').add('unknown_value', { allowed })
  place.check.components += 1
  if (type === ROW) checkRow(reader, value, place)
  else reader.checkFields(value, shapeOf(type), place)
  checkUnique(value, place)
  checkBetweenFields(type, value, place)
}

/** A row of a message holds up to five buttons or one select; one of a modal holds a text input. */
function checkRow(reader: RuleReader, row: Fields, place: Place): void {
  const { isModal } = place.check
  const of: ValueRule = { is: 'component', of: isModal ? [TEXT_INPUT] : [BUTTON, ...SELECTS] }
  const components: ValueRule = { is: 'list', of, min: 1, max: isModal ? 1 : 5, required: true }
  reader.checkFields(row, { ...shapeOf(ROW), components }, place)
  const list: unknown = row['components']
  if (!Array.isArray(list)) return
  for (const [index, each] of list.entries()) {
    const type: unknown = isRecord(each) ? each['type'] : undefined
    const at = place.field('components').element(index)
    if (isModal && isRecord(each) && each['label'] === undefined) at.field('label').add('required')
    if (list.length > 1 && typeof type === 'number' && SELECTS.includes(type))
      at.add('not_here', { hint: 'a select takes a row of its own' })
  }
}

/** `custom_id` and `id` are unique in the whole message. The id 0 means none. */
function checkUnique({ custom_id: customId, id }: Fields, place: Place): void {
  const { customIds, ids } = place.check
  if (typeof customId === 'string') checkFirst(customIds, customId, place.field('custom_id'))
  if (typeof id === 'number' && id !== 0) checkFirst(ids, id, place.field('id'))
}

function checkFirst(seen: Map<unknown, string>, key: unknown, place: Place): void {
  const first = seen.get(key)
  if (first === undefined) seen.set(key, place.path)
  else place.add('duplicate', { first })
}

function checkBetweenFields(type: number, component: Fields, place: Place): void {
  const { component: inner } = component
  if (type === LABEL && isRecord(inner) && inner['label'] !== undefined)
    place.field('component').field('label').add('not_here', { hint: 'the label component has the text' })
  if (type === BUTTON) checkButton(component, place)
  if (type === TEXT_INPUT) checkTextInput(component, place)
  if (type === TEXT_DISPLAY && typeof component['content'] === 'string')
    place.check.text += countCharacters(component['content'])
  if (SELECTS.includes(type) || type === FILE_UPLOAD || type === CHECKBOX_GROUP)
    checkCounts(type, component, place)
  if (type === RADIO_GROUP) checkDefaults(component, 1, place)
}

function checkButton(
  { style, label, emoji, custom_id: customId, url, sku_id: sku }: Fields,
  place: Place,
): void {
  const needed = style === LINK ? 'url' : style === PREMIUM ? 'sku_id' : 'custom_id'
  const given: Fields = { custom_id: customId, url, sku_id: sku }
  if (given[needed] === undefined) place.field(needed).add('required')
  const others = style === PREMIUM ? { ...given, label, emoji } : given
  for (const [name, value] of Object.entries(others)) {
    if (name !== needed && value !== undefined) place.field(name).add('not_for_style', { style })
  }
  if (style !== PREMIUM && label === undefined && emoji === undefined) place.field('label').add('needs_label')
}

function checkTextInput({ min_length: min, max_length: max }: Fields, place: Place): void {
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    place.field('min_length').add('over_maximum', { field: 'max_length', max })
}

/** Numbers of values that contradict each other, so that nobody could fill the field in. */
function checkCounts(type: number, component: Fields, place: Place): void {
  const { min_values: min, max_values: max, required, disabled, options, default_values: given } = component
  const isGroup = type === CHECKBOX_GROUP
  const count = Array.isArray(options) ? options.length : Infinity
  const most = typeof max === 'number' ? max : isGroup ? count : 1
  const at = place.field('min_values')
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    at.add('over_maximum', { field: 'max_values', max })
  if (typeof min === 'number' && min > count)
    at.add('over_maximum', { field: 'the number of options', max: count })
  if (place.check.isModal && min === 0 && required !== false)
    at.add('not_here', { hint: 'a required field has at least 1' })
  if (place.check.isModal && disabled === true)
    place.field('disabled').add('not_here', { hint: 'a form has no disabled fields' })
  if (isGroup && typeof max === 'number' && max > count)
    place.field('max_values').add('over_maximum', { field: 'the number of options', max: count })
  if (isGroup) checkDefaults(component, most, place)
  if (Array.isArray(given) && given.length > 0) {
    if (given.length > most)
      place.field('default_values').add('too_many', { max: most, actual: given.length })
    else if (typeof min === 'number' && given.length < min)
      place.field('default_values').add('too_few', { min, actual: given.length })
  }
}

/** Not more options are selected beforehand than a player may select. */
function checkDefaults({ options }: Fields, max: number, place: Place): void {
  if (!Array.isArray(options)) return
  const actual = options.filter((option) => isRecord(option) && option['default'] === true).length
  if (actual > max) place.field('options').add('too_many', { max, actual })
}
