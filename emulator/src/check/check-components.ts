/** Components of a message: rows, and the layout of version 2. */
import { BUTTON_STYLES } from '../model/number-names.js'
import { fieldsOf, isObject } from '../foundation/values.js'
import { anyText, emoji, PICTURE, shownText, url, WEB } from './message-parts.js'
import { problem, REQUIRED } from './problems.js'
import {
  also,
  anything,
  apart,
  byType,
  flag,
  integer,
  list,
  nullish,
  object,
  oneOf,
  omittable,
  snowflake,
  type Fields,
  type Place,
  type Rule,
  type Schema,
} from './schema.js'

const MAX_ID = 2 ** 31 - 1

/** Fields of a component beside `type` and `id`, which all have. */
export function component(fields: Readonly<Record<string, Schema<unknown>>>, rule?: Rule): Schema<unknown> {
  return object({ type: anything, id: omittable(integer(0, MAX_ID)), ...fields }, rule)
}

export const customId = shownText(1, 100)

export const textDisplay = component({ content: shownText(1, 4000) })

const BAD_FIELD = problem(
  'BUTTON_COMPONENT_INVALID_FIELD',
  'This field cannot be used with this button style',
  'is not for this style of button',
)
const NO_LABEL = problem(
  'BUTTON_COMPONENT_LABEL_REQUIRED',
  'A button must have a label or an emoji',
  'is required without an emoji',
)
const LINK = 5
const PREMIUM = 6
const STYLES: readonly unknown[] = [1, 2, 3, 4, LINK, PREMIUM]

const button = component(
  {
    style: oneOf(STYLES, BUTTON_STYLES),
    label: omittable(shownText(1, 80)),
    emoji: omittable(emoji),
    url: omittable(url(WEB, 512)),
    sku_id: omittable(snowflake),
    custom_id: omittable(customId),
    disabled: omittable(flag),
  },
  (fields, at) => {
    const { style, label, emoji: picture } = fields
    if (!STYLES.includes(style)) return
    const needed = style === LINK ? 'url' : style === PREMIUM ? 'sku_id' : 'custom_id'
    if (fields[needed] === undefined) at.at(needed).add(REQUIRED)
    const others = ['custom_id', 'url', 'sku_id', ...(style === PREMIUM ? ['label', 'emoji'] : [])]
    for (const name of others) if (name !== needed && fields[name] !== undefined) at.at(name).add(BAD_FIELD)
    if (style !== PREMIUM && label === undefined && picture === undefined) at.at('label').add(NO_LABEL)
  },
)

const TOO_SMALL = problem(
  'SELECT_COMPONENT_MAX_LESS_THAN_MIN',
  'Maximum is less than the minimum',
  'must not be above max_values, which is 1 if it is left out',
)
const TOO_FEW_OPTIONS = problem(
  'SELECT_COMPONENT_NOT_ENOUGH_OPTIONS',
  'There are fewer options than this number',
  'must not be above the number of options',
)
const REQUIRED_ZERO = problem(
  'SELECT_COMPONENT_MIN_VALUES_REQUIRED',
  'Must be at least 1 while required',
  'must be at least 1, or required must be false',
)
const DISABLED = problem(
  'MODAL_COMPONENT_DISABLED',
  'Disabled components cannot be used in modals',
  'must not be true in a modal',
)
const REPEATED_VALUE = problem(
  'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
  'The specified option value is already used',
  'must differ from the other values',
)
const BAD_DEFAULTS = problem(
  'SELECT_COMPONENT_DEFAULT_VALUES',
  'The number of default values is out of range',
  'must be within min_values and max_values',
)

/** `modal`: a field that is required has at least one value, and cannot be disabled. */
export type Surface = 'message' | 'modal'

/** The greatest number of values that a player may choose. A group without `max_values` allows all of its options. */
export function mostValues({ type, max_values: most, options }: Fields): number {
  if (typeof most === 'number') return most
  return type === CHECKBOX_GROUP && Array.isArray(options) ? options.length : 1
}

/** Numbers of values that a player can keep to. */
export const rangeRule =
  (surface: Surface): Rule =>
  (field, at) => {
    const { min_values: least, required: isRequired, options } = field
    if (typeof least !== 'number') return
    if (least > mostValues(field)) at.at('min_values').add(TOO_SMALL)
    if (Array.isArray(options) && least > options.length) at.at('min_values').add(TOO_FEW_OPTIONS)
    if (surface === 'modal' && least === 0 && isRequired !== false) at.at('min_values').add(REQUIRED_ZERO)
  }

export const rangeFields = (most: number) => ({
  min_values: omittable(integer(0, most)),
  max_values: omittable(integer(1, most)),
})

const valueOf = (item: unknown): unknown => fieldsOf(item)['value']

export function optionList(
  [least, most]: readonly [number, number],
  fields: Readonly<Record<string, Schema<unknown>>> = {},
): Schema<unknown[]> {
  const option = object({
    label: shownText(1, 100),
    value: shownText(1, 100),
    description: omittable(shownText(1, 100)),
    default: omittable(flag),
    ...fields,
  })
  return also(list(option, { least, most }), (value, at) =>
    apart(value, at, valueOf, { path: ['value'], wrong: REPEATED_VALUE }),
  )
}

/** Kinds of the ids that a select may have selected beforehand, by its type. */
const DEFAULTS: Readonly<Record<number, readonly string[]>> = {
  5: ['user'],
  6: ['role'],
  7: ['user', 'role'],
  8: ['channel'],
}
const STRING_SELECT = 3
const CHANNEL_SELECT = 8
const CHECKBOX_GROUP = 22

function select(type: number, surface: Surface): Schema<unknown> {
  const kinds = DEFAULTS[type]
  const defaults = list(object({ id: snowflake, type: oneOf(kinds ?? []) }), { most: 25 })
  const inRange = rangeRule(surface)
  return component(
    {
      custom_id: customId,
      placeholder: omittable(anyText(150)),
      ...rangeFields(25),
      disabled: omittable(flag),
      required: omittable(flag),
      ...(type === STRING_SELECT ? { options: optionList([1, 25], { emoji: omittable(emoji) }) } : {}),
      ...(type === CHANNEL_SELECT ? { channel_types: omittable(list(integer(0, 99))) } : {}),
      ...(kinds === undefined ? {} : { default_values: omittable(defaults) }),
    },
    (field, at) => {
      inRange(field, at)
      if (surface === 'modal' && field['disabled'] === true) at.at('disabled').add(DISABLED)
      const { min_values: least, default_values: given } = field
      if (kinds === undefined || !Array.isArray(given) || given.length === 0) return
      if (given.length > mostValues(field) || (typeof least === 'number' && given.length < least))
        at.at('default_values').add(BAD_DEFAULTS)
    },
  )
}

export const SELECT_TYPES = [STRING_SELECT, 5, 6, 7, CHANNEL_SELECT]

/** Schemas of all selects by their type. */
export function selects(surface: Surface): Record<number, Schema<unknown>> {
  return Object.fromEntries(SELECT_TYPES.map((type) => [type, select(type, surface)]))
}

const TOO_WIDE = problem(
  'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
  'The specified component exceeds the maximum width',
  'must be alone in its row',
)

const row = component(
  { components: list(byType({ 2: button, ...selects('message') }), { least: 1, most: 5 }) },
  ({ components }, at) => {
    if (!Array.isArray(components) || components.length < 2) return
    for (const [index, item] of components.entries())
      if (SELECT_TYPES.includes(Number(fieldsOf(item)['type']))) at.at('components', index).add(TOO_WIDE)
  },
)

const mediaItem = (schemes: readonly string[]) => object({ url: url(schemes) })
const mediaFields = {
  media: mediaItem(PICTURE),
  description: nullish(shownText(1, 1024)),
  spoiler: omittable(flag),
}
const thumbnail = component(mediaFields)

const inContainer: Readonly<Record<number, Schema<unknown>>> = {
  1: row,
  9: component({
    components: list(byType({ 10: textDisplay }), { least: 1, most: 3 }),
    accessory: byType({ 2: button, 11: thumbnail }),
  }),
  10: textDisplay,
  12: component({ items: list(object(mediaFields), { least: 1, most: 10 }) }),
  13: component({ file: mediaItem(['attachment']), spoiler: omittable(flag) }),
  14: component({ divider: omittable(flag), spacing: omittable(oneOf([1, 2])) }),
}

const container = component({
  components: list(byType(inContainer), { least: 1, most: 40 }),
  accent_color: nullish(integer(0, 16_777_215)),
  spoiler: omittable(flag),
})

export const MAX_COMPONENTS = 40

/** Version 1 has rows only. */
export const rows = list(byType({ 1: row }), { most: 5 })
export const layout = list(byType({ ...inContainer, 17: container }), { most: MAX_COMPONENTS })

/** A component with its place. */
interface FoundComponent {
  fields: Fields
  at: Place
}

const MAX_DEPTH = 5
const MAX_FOUND = 200

/** All components of a list, at every depth that a message or a form can have. */
export function componentsIn(items: unknown, at: Place, depth = 0): FoundComponent[] {
  if (!Array.isArray(items) || depth > MAX_DEPTH) return []
  return items.slice(0, MAX_FOUND).flatMap((item, index) => componentsOf(item, at.at(index), depth))
}

function componentsOf(item: unknown, at: Place, depth: number): FoundComponent[] {
  if (!isObject(item) || depth > MAX_DEPTH) return []
  return [
    { fields: item, at },
    ...componentsIn(item['components'], at.at('components'), depth + 1),
    ...['component', 'accessory'].flatMap((name) => componentsOf(item[name], at.at(name), depth + 1)),
  ]
}

const REPEATED_CUSTOM_ID = problem(
  'COMPONENT_CUSTOM_ID_DUPLICATED',
  'Component custom id cannot be duplicated',
  'must differ from every other custom_id of the message',
)
const REPEATED_ID = problem(
  'COMPONENT_ID_DUPLICATED',
  'Component id cannot be duplicated',
  'must differ from every other id of the message',
)

/** Adds the problems of ids that two components share. */
export function checkIds(found: readonly FoundComponent[]): void {
  const seen = new Set<string>()
  for (const { fields, at } of found)
    for (const [name, wrong] of [['id', REPEATED_ID] as const, ['custom_id', REPEATED_CUSTOM_ID] as const]) {
      const value = fields[name]
      if (typeof value !== (name === 'id' ? 'number' : 'string') || value === 0) continue
      const key = `${name} ${String(value)}`
      if (seen.has(key)) at.at(name).add(wrong)
      seen.add(key)
    }
}

const TEXT_DISPLAY = 10

/** Number of characters in text displays. */
export function shownCharacters(found: readonly FoundComponent[]): number {
  const texts = found.map(({ fields: { type, content } }) => (type === TEXT_DISPLAY ? content : ''))
  return texts.reduce<number>(
    (sum, content) => sum + (typeof content === 'string' ? Array.from(content).length : 0),
    0,
  )
}

/** Files that components show by their name, with the places of the addresses. */
export function filesShown(found: readonly FoundComponent[]): { name: string; at: Place }[] {
  const items = found.flatMap(({ fields: { media, file, items: gallery }, at }) => [
    { item: media, at: at.at('media') },
    { item: file, at: at.at('file') },
    ...(Array.isArray(gallery) ? gallery.slice(0, MAX_FOUND) : []).map((each, index) => ({
      item: fieldsOf(each)['media'],
      at: at.at('items', index, 'media'),
    })),
  ])
  return items.flatMap(({ item, at }) => {
    const address = fieldsOf(item)['url']
    const name = typeof address === 'string' ? /^attachment:\/\/(.+)$/s.exec(address)?.[1] : undefined
    return name === undefined ? [] : [{ name, at: at.at('url') }]
  })
}
