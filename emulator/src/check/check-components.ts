/** Checks the components of a message: rows, and the layout of version 2. */
import { isObject } from '../foundation/values.js'
import {
  checkEmoji,
  checkFlags,
  checkInteger,
  checkList,
  checkObject,
  checkSnowflake,
  checkText,
  checkUrl,
  invalid,
  isChoiceOf,
  needText,
  notObjectAt,
  unknownType,
  type Fields,
} from './fields.js'
import { REQUIRED, type ValidationContext } from './validation-context.js'

const TOO_WIDE = invalid(
  'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
  'The specified component exceeds the maximum width',
  'must be alone in its row',
)
const ROW = 1
const BUTTON = 2
const TEXT_DISPLAY = 10
const THUMBNAIL = 11
const IN_CONTAINER = [ROW, 9, TEXT_DISPLAY, 12, 13, 14]
/** Top level of a message of version 2. */
export const TOP_LEVEL = [...IN_CONTAINER, 17]

const checkRow: CheckType = ({ components }, at, walk) => {
  if (components === undefined) return at.at('components').addError(REQUIRED)
  checkList(components, { at: at.at('components'), least: 1, most: 5 }, (item, spot) => {
    walk.check(item, spot, [BUTTON, ...SELECTS])
    const isSelect = isObject(item) && SELECTS.includes(Number(item['type']))
    if (isSelect && Array.isArray(components) && components.length > 1) spot.addError(TOO_WIDE)
  })
}

const checkSection: CheckType = ({ components, accessory }, at, walk) => {
  if (components === undefined) at.at('components').addError(REQUIRED)
  else
    checkList(components, { at: at.at('components'), least: 1, most: 3 }, (item, spot) =>
      walk.check(item, spot, [TEXT_DISPLAY]),
    )
  if (accessory === undefined) at.at('accessory').addError(REQUIRED)
  else walk.check(accessory, at.at('accessory'), [BUTTON, THUMBNAIL])
}

export const checkTextDisplay: CheckType = (component, at, walk) => {
  walk.text += needText(component, 'content', { at, least: 1, most: 4000 })
}

const checkThumbnail: CheckType = (component, at, walk) => checkMedia(component, at, walk)

function checkMedia(component: Fields, at: ValidationContext, walk: ComponentWalk): void {
  const { media, description } = component
  needItem(media, at.at('media'), { walk, schemes: ['http', 'https', 'attachment'] })
  if (description !== undefined && description !== null)
    checkText(description, at.at('description'), { least: 1, most: 1024 })
  checkFlags(component, ['spoiler'], at)
}

function needItem(
  item: unknown,
  at: ValidationContext,
  { walk, schemes }: { walk: ComponentWalk; schemes: readonly string[] },
): void {
  if (item === undefined) return at.addError(REQUIRED)
  checkObject(item, at, ({ url }) => {
    if (url === undefined) return at.at('url').addError(REQUIRED)
    checkUrl(url, at.at('url'), { schemes })
    const name = typeof url === 'string' ? /^attachment:\/\/(.+)$/s.exec(url)?.[1] : undefined
    if (name !== undefined) walk.references.push({ name, at: at.at('url') })
  })
}

const checkGallery: CheckType = ({ items }, at, walk) => {
  if (items === undefined) return at.at('items').addError(REQUIRED)
  checkList(items, { at: at.at('items'), least: 1, most: 10 }, (item, spot) =>
    checkObject(item, spot, (fields) => checkMedia(fields, spot, walk)),
  )
}

const checkFile: CheckType = (component, at, walk) => {
  needItem(component['file'], at.at('file'), { walk, schemes: ['attachment'] })
  checkFlags(component, ['spoiler'], at)
}

const checkSeparator: CheckType = (component, at) => {
  checkFlags(component, ['divider'], at)
  if (component['spacing'] !== undefined) isChoiceOf(component['spacing'], at.at('spacing'), [1, 2])
}

const checkContainer: CheckType = (component, at, walk) => {
  const { components, accent_color: color } = component
  if (components === undefined) at.at('components').addError(REQUIRED)
  else
    checkList(components, { at: at.at('components'), least: 1, most: 40 }, (item, spot) =>
      walk.check(item, spot, IN_CONTAINER),
    )
  if (color !== undefined && color !== null) checkInteger(color, at.at('accent_color'), [0, 16_777_215])
  checkFlags(component, ['spoiler'], at)
}

const checkMessageSelect: CheckType = (select, at, walk) => checkSelect(select, at, { walk, inModal: false })

/** A walk through the components of a message. */
export function walkMessage(): ComponentWalk {
  return new ComponentWalk({
    1: checkRow,
    2: checkButton,
    ...Object.fromEntries(SELECTS.map((type) => [type, checkMessageSelect])),
    9: checkSection,
    10: checkTextDisplay,
    11: checkThumbnail,
    12: checkGallery,
    13: checkFile,
    14: checkSeparator,
    17: checkContainer,
  })
}

const LINK = 5
const PREMIUM = 6
export const SELECTS = [3, 5, 6, 7, 8]
const DEFAULT_TYPES: Readonly<Record<number, readonly string[]>> = {
  5: ['user'],
  6: ['role'],
  7: ['user', 'role'],
  8: ['channel'],
}

const NOT_FOR_STYLE = invalid(
  'BUTTON_COMPONENT_INVALID_FIELD',
  'This field cannot be used with this button style',
  'is not for this style of button',
)
const NO_LABEL = invalid(
  'BUTTON_COMPONENT_LABEL_REQUIRED',
  'A button must have a label or an emoji',
  'is required without an emoji',
)
const TOO_SMALL = invalid(
  'SELECT_COMPONENT_MAX_LESS_THAN_MIN',
  'Maximum is less than the minimum',
  'must not be above max_values',
)
const TOO_FEW_OPTIONS = invalid(
  'SELECT_COMPONENT_NOT_ENOUGH_OPTIONS',
  'There are fewer options than this number',
  'must not be above the number of options',
)
const REQUIRED_ZERO = invalid(
  'SELECT_COMPONENT_MIN_VALUES_REQUIRED',
  'Must be at least 1 while required',
  'must be at least 1, or required must be false',
)
const DISABLED = invalid(
  'MODAL_COMPONENT_DISABLED',
  'Disabled components cannot be used in modals',
  'must not be true in a modal',
)
const REPEATED_VALUE = invalid(
  'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
  'The specified option value is already used',
  'must differ from the other values',
)
const BAD_DEFAULTS = invalid(
  'SELECT_COMPONENT_DEFAULT_VALUES',
  'The number of default values is out of range',
  'must be within min_values and max_values',
)

export function needCustomId(component: Fields, at: ValidationContext, walk: ComponentWalk): void {
  needText(component, 'custom_id', { at, least: 1, most: 100 })
  walk.claim(component['custom_id'], at.at('custom_id'))
}

function checkButton(button: Fields, at: ValidationContext, walk: ComponentWalk): void {
  const { style, label, emoji, url, sku_id: sku, custom_id: customId } = button
  checkFlags(button, ['disabled'], at)
  if (label !== undefined) checkText(label, at.at('label'), { least: 1, most: 80 })
  if (emoji !== undefined) checkEmoji(emoji, at.at('emoji'))
  if (url !== undefined) checkUrl(url, at.at('url'), { schemes: ['http', 'https'], most: 512 })
  if (sku !== undefined) checkSnowflake(sku, at.at('sku_id'))
  if (customId !== undefined) checkText(customId, at.at('custom_id'), { least: 1, most: 100 })
  walk.claim(customId, at.at('custom_id'))
  if (style === undefined) return at.at('style').addError(REQUIRED)
  if (!isChoiceOf(style, at.at('style'), [1, 2, 3, 4, 5, 6])) return
  const needed = style === LINK ? 'url' : style === PREMIUM ? 'sku_id' : 'custom_id'
  if (button[needed] === undefined) at.at(needed).addError(REQUIRED)
  const refused = ['custom_id', 'url', 'sku_id', ...(style === PREMIUM ? ['label', 'emoji'] : [])].filter(
    (name) => name !== needed,
  )
  for (const name of refused) if (button[name] !== undefined) at.at(name).addError(NOT_FOR_STYLE)
  if (style !== PREMIUM && label === undefined && emoji === undefined) at.at('label').addError(NO_LABEL)
}

/** `inModal`: a select that is required has at least one value, and cannot be disabled. */
export function checkSelect(
  select: Fields,
  at: ValidationContext,
  { walk, inModal }: { walk: ComponentWalk; inModal: boolean },
): void {
  const { type, options, placeholder, channel_types: channels, default_values: defaults } = select
  needCustomId(select, at, walk)
  checkFlags(select, ['disabled', 'required'], at)
  if (placeholder !== undefined) checkText(placeholder, at.at('placeholder'), { most: 150 })
  if (type === 3) needOptions(options, at.at('options'), { least: 1, most: 25, hasEmoji: true })
  checkRange(select, at, { most: 25, inModal })
  if (inModal && select['disabled'] === true) at.at('disabled').addError(DISABLED)
  if (type === 8 && channels !== undefined)
    checkList(channels, { at: at.at('channel_types'), most: Infinity }, (channel, spot) =>
      checkInteger(channel, spot, [0, 99]),
    )
  if (type !== 3 && defaults !== undefined) checkDefaults(select, defaults, at.at('default_values'))
}

function checkDefaults(
  { type, min_values: least, max_values: most = 1 }: Fields,
  defaults: unknown,
  at: ValidationContext,
): void {
  checkList(defaults, { at, most: 25 }, (item, spot) =>
    checkObject(item, spot, (value) => {
      if (value['id'] === undefined) spot.at('id').addError(REQUIRED)
      else checkSnowflake(value['id'], spot.at('id'))
      if (value['type'] === undefined) spot.at('type').addError(REQUIRED)
      else isChoiceOf(value['type'], spot.at('type'), DEFAULT_TYPES[Number(type)] ?? [])
    }),
  )
  if (!Array.isArray(defaults) || defaults.length === 0) return
  const below = typeof least === 'number' && defaults.length < least
  if (below || (typeof most === 'number' ? defaults.length > most : defaults.length > 1))
    at.addError(BAD_DEFAULTS)
}

/** Bounds of the number of values, and that a player can keep to them. */
export function checkRange(
  field: Fields,
  at: ValidationContext,
  { most, inModal }: { most: number; inModal: boolean },
): void {
  const { min_values: least, max_values: greatest, required: isRequired, options } = field
  if (least !== undefined) checkInteger(least, at.at('min_values'), [0, most])
  if (greatest !== undefined) checkInteger(greatest, at.at('max_values'), [1, most])
  if (typeof least === 'number' && typeof greatest === 'number' && least > greatest)
    at.at('min_values').addError(TOO_SMALL)
  if (typeof least === 'number' && Array.isArray(options) && least > options.length)
    at.at('min_values').addError(TOO_FEW_OPTIONS)
  if (inModal && least === 0 && isRequired !== false) at.at('min_values').addError(REQUIRED_ZERO)
}

interface OptionRules {
  least: number
  most: number
  hasEmoji?: boolean
}

export function needOptions(
  options: unknown,
  at: ValidationContext,
  { least, most, hasEmoji = false }: OptionRules,
): void {
  if (options === undefined) return at.addError(REQUIRED)
  const values = new Set<unknown>()
  checkList(options, { at, least, most }, (item, spot) =>
    checkObject(item, spot, (option) => {
      needText(option, 'label', { at: spot, least: 1, most: 100 })
      needText(option, 'value', { at: spot, least: 1, most: 100 })
      if (option['description'] !== undefined)
        checkText(option['description'], spot.at('description'), { least: 1, most: 100 })
      if (hasEmoji && option['emoji'] !== undefined) checkEmoji(option['emoji'], spot.at('emoji'))
      checkFlags(option, ['default'], spot)
      if (typeof option['value'] !== 'string') return
      if (values.has(option['value'])) spot.at('value').addError(REPEATED_VALUE)
      values.add(option['value'])
    }),
  )
}

/** Number of options that are selected beforehand. */
export function countDefaults(options: unknown): number {
  return Array.isArray(options)
    ? options.filter((option) => isObject(option) && option['default'] === true).length
    : 0
}

const LARGEST_ID = 2 ** 31 - 1

/** Checks the fields of one type of component. */
export type CheckType = (component: Fields, at: ValidationContext, walk: ComponentWalk) => void

export class ComponentWalk {
  readonly #customIds = new Set<string>()
  readonly #ids = new Set<number>()
  readonly #checks: Readonly<Record<number, CheckType>>
  /** Number of components, and of characters in text displays. */
  components = 0
  text = 0
  /** Names in `attachment://`, with their places. */
  readonly references: { name: string; at: ValidationContext }[] = []

  constructor(checks: Readonly<Record<number, CheckType>>) {
    this.#checks = checks
  }

  /** Checks a component of one of these types, and everything in it. */
  check(value: unknown, at: ValidationContext, allowed: readonly number[]): void {
    if (!isObject(value)) return notObjectAt(at)
    const { type, id } = value
    if (typeof type !== 'number' || !allowed.includes(type)) return unknownType(at.at('type'), type, allowed)
    this.components += 1
    if (id !== undefined) checkInteger(id, at.at('id'), [0, LARGEST_ID])
    if (typeof id === 'number' && id !== 0) {
      if (this.#ids.has(id)) at.at('id').addError(REPEATED_ID)
      this.#ids.add(id)
    }
    this.#checks[type]?.(value, at, this)
  }

  /** Checks that no other component has this `custom_id`. */
  claim(customId: unknown, at: ValidationContext): void {
    if (typeof customId !== 'string') return
    if (this.#customIds.has(customId)) at.addError(REPEATED_CUSTOM_ID)
    this.#customIds.add(customId)
  }
}

const REPEATED_CUSTOM_ID = invalid(
  'COMPONENT_CUSTOM_ID_DUPLICATED',
  'Component custom id cannot be duplicated',
  'must differ from every other custom_id of the message',
)
const REPEATED_ID = invalid(
  'COMPONENT_ID_DUPLICATED',
  'Component id cannot be duplicated',
  'must differ from every other id of the message',
)
