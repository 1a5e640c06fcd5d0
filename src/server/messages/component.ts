/** Components (docs/interface/messages.md#components): their fields by type as tables, and the rules between fields and between components. */
import {
  countCharacters,
  anything,
  checkObject,
  flag,
  id,
  ignored,
  list,
  object,
  one,
  pattern,
  whole,
} from '../../shared/foundation/rules'
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { MessagePlace } from './message-check'
import { FILE_TYPE, FILE_TYPES } from '../../shared/service/file-type'
import { numberFor } from '../../shared/foundation/number-names'
import { link, type MessageRule, type MessageShape, messageText } from './message-kinds'
import { EMOJI, FILE_ITEM, MEDIA_ITEM } from './message-shapes'

type Fields = Readonly<Record<string, unknown>>

const ROW = 1
const BUTTON = 2
const STRING_SELECT = 3
const TEXT_INPUT = 4
const SELECTS: readonly number[] = [STRING_SELECT, 5, 6, 7, 8]
const SECTION = 9
const TEXT_DISPLAY = 10
const THUMBNAIL = 11
const GALLERY = 12
const FILE = 13
const SEPARATOR = 14
const CONTAINER = 17
const LABEL = 18
const FILE_UPLOAD = 19
const RADIO_GROUP = 21
const CHECKBOX_GROUP = 22
const CHECKBOX = 23

/** Names of the types, as the service's manual and other libraries write them. */
const TYPE_NAMES = {
  of: {
    ACTION_ROW: ROW,
    BUTTON,
    STRING_SELECT,
    TEXT_INPUT,
    USER_SELECT: 5,
    ROLE_SELECT: 6,
    MENTIONABLE_SELECT: 7,
    CHANNEL_SELECT: 8,
    SECTION,
    TEXT_DISPLAY,
    THUMBNAIL,
    MEDIA_GALLERY: GALLERY,
    FILE,
    SEPARATOR,
    CONTAINER,
    LABEL,
    FILE_UPLOAD,
    RADIO_GROUP,
    CHECKBOX_GROUP,
    CHECKBOX,
  },
}

/** Top level of a message of version 1, and of version 2. */
export const LEGACY_TOP: readonly number[] = [ROW]
export const TOP: readonly number[] = [ROW, SECTION, TEXT_DISPLAY, GALLERY, FILE, SEPARATOR, CONTAINER]
/** Top level of a modal. */
export const MODAL_TOP: readonly number[] = [ROW, TEXT_DISPLAY, LABEL]
const IN_LABEL: readonly number[] = [
  ...SELECTS,
  TEXT_INPUT,
  FILE_UPLOAD,
  RADIO_GROUP,
  CHECKBOX_GROUP,
  CHECKBOX,
]

/** Styles of buttons. */
const LINK = 5
const PREMIUM = 6
const FIELD_STYLES = { SHORT: 1, PARAGRAPH: 2 }
const BUTTON_STYLES = { PRIMARY: 1, SECONDARY: 2, SUCCESS: 3, DANGER: 4, LINK, PREMIUM }

/** In a message null counts as left out: bodies from builders of other libraries hold it (docs/interface/messages.md#message). */
const FLAG: MessageRule = { is: flag, nullable: true }
const CUSTOM_ID: MessageRule = { is: messageText, min: 1, max: 100, required: true }
const ALT_TEXT: MessageRule = { is: messageText, min: 1, max: 1024, nullable: true }

/** Fields of every component. */
const BASE: MessageShape = {
  type: { is: anything, required: true },
  id: { is: whole, min: 0, max: 2 ** 31 - 1, nullable: true },
}

const SELECT: MessageShape = {
  ...BASE,
  custom_id: CUSTOM_ID,
  placeholder: { is: messageText, max: 150, nullable: true },
  min_values: { is: whole, min: 0, max: 25, nullable: true },
  max_values: { is: whole, min: 1, max: 25, nullable: true },
  required: FLAG,
  disabled: FLAG,
}

/** Ids that are selected beforehand. */
const DEFAULTS: MessageRule = { is: list, max: 25, nullable: true }
const DEFAULT_ID: MessageRule = { is: id, required: true }
const USER: MessageRule = { is: one, values: ['user'], required: true }
const ROLE: MessageRule = { is: one, values: ['role'], required: true }
const USER_OR_ROLE: MessageRule = { is: one, values: ['user', 'role'], required: true }
const CHANNEL: MessageRule = { is: one, values: ['channel'], required: true }

const OPTION: MessageShape = {
  label: { is: messageText, min: 1, max: 100, required: true },
  value: { is: messageText, min: 1, max: 100, required: true },
  description: { is: messageText, min: 1, max: 100, nullable: true },
  default: FLAG,
}
const OPTIONS: MessageRule = {
  is: list,
  of: { is: object, fields: OPTION },
  min: 1,
  max: 10,
  distinct: 'value',
  required: true,
}

const COUNTS: MessageShape = {
  min_values: { is: whole, min: 0, max: 10, nullable: true },
  max_values: { is: whole, min: 1, max: 10, nullable: true },
}

/** A row of a message holds up to five buttons or one select; one of a modal holds a text input. */
const ROW_OF_MESSAGE: MessageShape = {
  ...BASE,
  components: {
    is: componentList,
    of: { is: component, types: [BUTTON, ...SELECTS] },
    min: 1,
    max: 5,
    required: true,
  },
}
const ROW_OF_MODAL: MessageShape = {
  ...BASE,
  components: {
    is: componentList,
    of: { is: component, types: [TEXT_INPUT] },
    min: 1,
    max: 1,
    required: true,
  },
}

/** Fields by type. */
export const COMPONENTS: Readonly<Record<number, MessageShape>> = {
  [BUTTON]: {
    ...BASE,
    style: {
      is: one,
      values: Object.values(BUTTON_STYLES),
      required: true,
      hint: (given) => numberFor(given, { of: BUTTON_STYLES }),
    },
    label: { is: messageText, min: 1, max: 80, nullable: true },
    emoji: EMOJI,
    custom_id: { is: messageText, min: 1, max: 100, nullable: true },
    url: { is: link, schemes: ['http', 'https'], max: 512, nullable: true },
    sku_id: { is: id, nullable: true },
    disabled: FLAG,
  },
  [STRING_SELECT]: {
    ...SELECT,
    options: { ...OPTIONS, max: 25, of: { is: object, fields: { ...OPTION, emoji: EMOJI } } },
  },
  5: {
    ...SELECT,
    default_values: { ...DEFAULTS, of: { is: object, fields: { id: DEFAULT_ID, type: USER } } },
  },
  6: {
    ...SELECT,
    default_values: { ...DEFAULTS, of: { is: object, fields: { id: DEFAULT_ID, type: ROLE } } },
  },
  7: {
    ...SELECT,
    default_values: { ...DEFAULTS, of: { is: object, fields: { id: DEFAULT_ID, type: USER_OR_ROLE } } },
  },
  8: {
    ...SELECT,
    default_values: { ...DEFAULTS, of: { is: object, fields: { id: DEFAULT_ID, type: CHANNEL } } },
    channel_types: { is: list, of: { is: whole, min: 0, max: 99 }, nullable: true },
  },
  [SECTION]: {
    ...BASE,
    components: {
      is: componentList,
      of: { is: component, types: [TEXT_DISPLAY] },
      min: 1,
      max: 3,
      required: true,
    },
    accessory: { is: component, types: [BUTTON, THUMBNAIL], required: true },
  },
  [TEXT_DISPLAY]: { ...BASE, content: { is: messageText, min: 1, max: 4000, required: true } },
  [THUMBNAIL]: { ...BASE, media: MEDIA_ITEM, description: ALT_TEXT, spoiler: FLAG },
  [GALLERY]: {
    ...BASE,
    items: {
      is: list,
      of: { is: object, fields: { media: MEDIA_ITEM, description: ALT_TEXT, spoiler: FLAG } },
      min: 1,
      max: 10,
      required: true,
    },
  },
  [FILE]: { ...BASE, file: FILE_ITEM, spoiler: FLAG, name: { is: ignored }, size: { is: ignored } },
  [SEPARATOR]: { ...BASE, divider: FLAG, spacing: { is: one, values: [1, 2], nullable: true } },
  [CONTAINER]: {
    ...BASE,
    components: {
      is: componentList,
      of: { is: component, types: [ROW, SECTION, TEXT_DISPLAY, GALLERY, FILE, SEPARATOR] },
      min: 1,
      max: 40,
      required: true,
    },
    accent_color: { is: whole, min: 0, max: 0xffffff, nullable: true },
    spoiler: FLAG,
  },
  [LABEL]: {
    ...BASE,
    label: { is: messageText, min: 1, max: 45, required: true },
    description: { is: messageText, min: 1, max: 100, nullable: true },
    component: { is: component, types: IN_LABEL, required: true },
  },
  [TEXT_INPUT]: {
    ...BASE,
    custom_id: CUSTOM_ID,
    style: {
      is: one,
      values: Object.values(FIELD_STYLES),
      required: true,
      hint: (given) => numberFor(given, { of: FIELD_STYLES }),
    },
    label: { is: messageText, min: 1, max: 45, nullable: true },
    min_length: { is: whole, min: 0, max: 4000, nullable: true },
    max_length: { is: whole, min: 1, max: 4000, nullable: true },
    required: FLAG,
    value: { is: messageText, max: 4000, nullable: true },
    placeholder: { is: messageText, max: 100, nullable: true },
  },
  [FILE_UPLOAD]: {
    ...BASE,
    custom_id: CUSTOM_ID,
    ...COUNTS,
    required: FLAG,
    file_types: { is: list, of: { is: pattern, ...FILE_TYPE }, max: FILE_TYPES, nullable: true },
  },
  [RADIO_GROUP]: { ...BASE, custom_id: CUSTOM_ID, options: { ...OPTIONS, min: 2 }, required: FLAG },
  [CHECKBOX_GROUP]: { ...BASE, custom_id: CUSTOM_ID, options: OPTIONS, ...COUNTS, required: FLAG },
  [CHECKBOX]: { ...BASE, custom_id: CUSTOM_ID, default: FLAG },
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** Kind of a component of one of the `types` of the rule. */
export function component(value: unknown, at: MessagePlace, rule: MessageRule): void {
  const { types = [] } = rule
  if (!isRecord(value)) return at.add('wrong_type', { expected: exampleOf(types) })
  const { type } = value
  if (type === undefined) return at.field('type').add('required')
  if (typeof type !== 'number' || !types.includes(type))
    return at
      .field('type')
      .add('unknown_value', { allowed: types }, { allowed: types.join(', ') + remedyOf(type, types) })
  at.state.components += 1
  if (type === ROW) checkRow(value, at)
  else checkObject(value, COMPONENTS[type] ?? BASE, at)
  checkUnique(value, at)
  checkBetweenFields(type, value, at)
}

/** A list of components of the `types` of its elements. */
export function componentList(value: unknown, at: MessagePlace, rule: MessageRule): void {
  if (Array.isArray(value)) list(value, at, rule)
  else at.add('wrong_type', { expected: `a list: [${exampleOf(rule.of?.types ?? [])}]` })
}

const BUTTON_EXAMPLE = `{ type: ${BUTTON}, style: 1, custom_id: 'play', label: 'Play' }`
const TEXT_INPUT_EXAMPLE = `{ type: ${TEXT_INPUT}, custom_id: 'name', style: 1 }`

/** The component to write in place of something that is no object. */
function exampleOf(types: readonly number[]): string {
  if (types.includes(LABEL)) return `{ type: ${LABEL}, label: 'Name', component: ${TEXT_INPUT_EXAMPLE} }`
  if (types.includes(ROW)) return `{ type: ${ROW}, components: [${BUTTON_EXAMPLE}] }`
  if (types.includes(BUTTON)) return BUTTON_EXAMPLE
  if (types.includes(TEXT_DISPLAY)) return `{ type: ${TEXT_DISPLAY}, content: 'Hello' }`
  return `an object with a type of ${types.join(', ')}`
}

/** The number of a type that was given by name, or the wrapper of a component that may not stand by itself. */
function remedyOf(type: unknown, types: readonly number[]): string {
  if (typeof type !== 'number') return numberFor(type, TYPE_NAMES)
  if (types.includes(ROW) && (type === BUTTON || SELECTS.includes(type)))
    return `: put it into a row, { type: ${ROW}, components: [it] }`
  if (types.includes(LABEL) && IN_LABEL.includes(type))
    return `: put it into a label, { type: ${LABEL}, label: 'Name', component: it }`
  return ''
}

function checkRow(row: Fields, at: MessagePlace): void {
  const { isModal } = at.state
  checkObject(row, isModal ? ROW_OF_MODAL : ROW_OF_MESSAGE, at)
  const components: unknown = row['components']
  if (!Array.isArray(components)) return
  for (const [index, each] of components.entries()) {
    const type: unknown = isRecord(each) ? each['type'] : undefined
    const place = at.field('components').element(index)
    if (isModal && isRecord(each) && !isGiven(each['label'])) place.field('label').add('required')
    if (components.length > 1 && typeof type === 'number' && SELECTS.includes(type))
      place.add('not_here', { hint: 'a select takes a row of its own' })
  }
}

/** `custom_id` and `id` are unique in the whole message. The id 0 means none. */
function checkUnique({ custom_id: customId, id: number }: Fields, at: MessagePlace): void {
  const { customIds, ids } = at.state
  if (typeof customId === 'string') checkFirst(customIds, customId, at.field('custom_id'))
  if (typeof number === 'number' && number !== 0) checkFirst(ids, number, at.field('id'))
}

function checkFirst(seen: Map<unknown, MessagePlace>, key: unknown, at: MessagePlace): void {
  const first = seen.get(key)
  if (first === undefined) seen.set(key, at)
  else at.add('duplicate', { first: first.path })
}

function checkBetweenFields(type: number, fields: Fields, at: MessagePlace): void {
  const { component: inner } = fields
  if (type === LABEL && isRecord(inner) && isGiven(inner['label']))
    at.field('component').field('label').add('not_here', { hint: 'the label component has the text' })
  if (type === BUTTON) checkButton(fields, at)
  if (type === TEXT_INPUT) checkTextInput(fields, at)
  if (type === TEXT_DISPLAY && typeof fields['content'] === 'string')
    at.state.text += countCharacters(fields['content'])
  if (SELECTS.includes(type) || type === FILE_UPLOAD || type === CHECKBOX_GROUP) checkCounts(type, fields, at)
  if (type === RADIO_GROUP) checkDefaults(fields, 1, at)
}

function checkButton(
  { style, label, emoji, custom_id: customId, url, sku_id: sku }: Fields,
  at: MessagePlace,
): void {
  const needed = style === LINK ? 'url' : style === PREMIUM ? 'sku_id' : 'custom_id'
  const given: Fields = { custom_id: customId, url, sku_id: sku }
  if (!isGiven(given[needed])) at.field(needed).add('required')
  const others = style === PREMIUM ? { ...given, label, emoji } : given
  for (const [name, value] of Object.entries(others)) {
    if (name !== needed && isGiven(value)) at.field(name).add('not_for_style', { style })
  }
  if (style !== PREMIUM && !isGiven(label) && !isGiven(emoji)) at.field('label').add('needs_label')
}

function checkTextInput({ min_length: min, max_length: max }: Fields, at: MessagePlace): void {
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    at.field('min_length').add('over_maximum', { field: 'max_length', max })
}

/** Numbers of values that contradict each other, so that nobody could fill the field in. */
function checkCounts(type: number, fields: Fields, at: MessagePlace): void {
  const { min_values: min, max_values: max, required, disabled, options, default_values: given } = fields
  const isGroup = type === CHECKBOX_GROUP
  const count = Array.isArray(options) ? options.length : Infinity
  // Without `max_values` a group allows all of its options, and any other field one value.
  const most = isGiven(max) ? (typeof max === 'number' ? max : Infinity) : isGroup ? count : 1
  const least = at.field('min_values')
  if (typeof min === 'number' && min > most && !(isGroup && !isGiven(max)))
    least.add('over_maximum', { field: 'max_values', max: most })
  if (typeof min === 'number' && min > count)
    least.add('over_maximum', { field: 'the number of options', max: count })
  if (at.state.isModal && min === 0 && required !== false)
    least.add('not_here', { hint: 'a required field has at least 1' })
  if (at.state.isModal && disabled === true)
    at.field('disabled').add('not_here', { hint: 'a form has no disabled fields' })
  if (isGroup && typeof max === 'number' && max > count)
    at.field('max_values').add('over_maximum', { field: 'the number of options', max: count })
  if (isGroup) checkDefaults(fields, most, at)
  if (Array.isArray(given) && given.length > 0) {
    if (given.length > most) at.field('default_values').add('too_many', { max: most, actual: given.length })
    else if (typeof min === 'number' && given.length < min)
      at.field('default_values').add('too_few', { min, actual: given.length })
  }
}

/** Not more options are selected beforehand than a player may select. */
function checkDefaults({ options }: Fields, max: number, at: MessagePlace): void {
  if (!Array.isArray(options)) return
  const actual = options.filter((option) => isRecord(option) && option['default'] === true).length
  if (actual > max) at.field('options').add('too_many', { max, actual })
}
