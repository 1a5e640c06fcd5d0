/** Checks buttons and selects, which messages have, and selects of modals. */
import { isObject } from '../foundation/type-guards.js'
import { REQUIRED, type ValidationContext } from '../api/validation-context.js'
import type { ComponentWalk } from './component-walk.js'
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
  type Fields,
} from './fields.js'

const LINK = 5
const PREMIUM = 6
export const SELECTS = [3, 5, 6, 7, 8]
const DEFAULT_TYPES: Readonly<Record<number, readonly string[]>> = { 5: ['user'], 6: ['role'], 7: ['user', 'role'], 8: ['channel'] }

const NOT_FOR_STYLE = invalid(
  'BUTTON_COMPONENT_INVALID_FIELD',
  'This field cannot be used with this button style',
  'is not for this style of button',
)
const NO_LABEL = invalid('BUTTON_COMPONENT_LABEL_REQUIRED', 'A button must have a label or an emoji', 'is required without an emoji')
const TOO_SMALL = invalid('SELECT_COMPONENT_MAX_LESS_THAN_MIN', 'Maximum is less than the minimum', 'must not be above max_values')
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
const DISABLED = invalid('MODAL_COMPONENT_DISABLED', 'Disabled components cannot be used in modals', 'must not be true in a modal')
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

export function checkButton(button: Fields, at: ValidationContext, walk: ComponentWalk): void {
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
  const refused = ['custom_id', 'url', 'sku_id', ...(style === PREMIUM ? ['label', 'emoji'] : [])].filter((name) => name !== needed)
  for (const name of refused) if (button[name] !== undefined) at.at(name).addError(NOT_FOR_STYLE)
  if (style !== PREMIUM && label === undefined && emoji === undefined) at.at('label').addError(NO_LABEL)
}

/** `inModal`: a select that is required has at least one value, and cannot be disabled. */
export function checkSelect(select: Fields, at: ValidationContext, { walk, inModal }: { walk: ComponentWalk; inModal: boolean }): void {
  const { type, options, placeholder, channel_types: channels, default_values: defaults } = select
  needCustomId(select, at, walk)
  checkFlags(select, ['disabled', 'required'], at)
  if (placeholder !== undefined) checkText(placeholder, at.at('placeholder'), { most: 150 })
  if (type === 3) needOptions(options, at.at('options'), { least: 1, most: 25, hasEmoji: true })
  checkRange(select, at, { most: 25, inModal })
  if (inModal && select['disabled'] === true) at.at('disabled').addError(DISABLED)
  if (type === 8 && channels !== undefined)
    checkList(channels, { at: at.at('channel_types'), most: Infinity }, (channel, spot) => checkInteger(channel, spot, [0, 99]))
  if (type !== 3 && defaults !== undefined) checkDefaults(select, defaults, at.at('default_values'))
}

function checkDefaults({ type, min_values: least, max_values: most = 1 }: Fields, defaults: unknown, at: ValidationContext): void {
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
  if (below || (typeof most === 'number' ? defaults.length > most : defaults.length > 1)) at.addError(BAD_DEFAULTS)
}

/** Bounds of the number of values, and that a player can keep to them. */
export function checkRange(field: Fields, at: ValidationContext, { most, inModal }: { most: number; inModal: boolean }): void {
  const { min_values: least, max_values: greatest, required: isRequired, options } = field
  if (least !== undefined) checkInteger(least, at.at('min_values'), [0, most])
  if (greatest !== undefined) checkInteger(greatest, at.at('max_values'), [1, most])
  if (typeof least === 'number' && typeof greatest === 'number' && least > greatest) at.at('min_values').addError(TOO_SMALL)
  if (typeof least === 'number' && Array.isArray(options) && least > options.length) at.at('min_values').addError(TOO_FEW_OPTIONS)
  if (inModal && least === 0 && isRequired !== false) at.at('min_values').addError(REQUIRED_ZERO)
}

interface OptionRules {
  least: number
  most: number
  hasEmoji?: boolean
}

export function needOptions(options: unknown, at: ValidationContext, { least, most, hasEmoji = false }: OptionRules): void {
  if (options === undefined) return at.addError(REQUIRED)
  const values = new Set<unknown>()
  checkList(options, { at, least, most }, (item, spot) =>
    checkObject(item, spot, (option) => {
      needText(option, 'label', { at: spot, least: 1, most: 100 })
      needText(option, 'value', { at: spot, least: 1, most: 100 })
      if (option['description'] !== undefined) checkText(option['description'], spot.at('description'), { least: 1, most: 100 })
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
  return Array.isArray(options) ? options.filter((option) => isObject(option) && option['default'] === true).length : 0
}
