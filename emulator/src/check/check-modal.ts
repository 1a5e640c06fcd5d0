/** Checks a modal: one to five labels, texts and rows. */
import { isObject } from '../foundation/values.js'
import {
  ComponentWalk,
  SELECTS,
  checkRange,
  checkSelect,
  checkTextDisplay,
  countDefaults,
  needCustomId,
  needOptions,
  type CheckType,
} from './check-components.js'
import { checkFlags, checkInteger, checkList, checkText, invalid, isChoiceOf, needText } from './fields.js'
import { REQUIRED, ValidationContext, type ValidationError } from './validation-context.js'

const TEXT_INPUT = 4
const IN_LABEL = [...SELECTS, TEXT_INPUT, 19, 21, 22, 23]
const LABEL_TWICE = invalid(
  'TEXT_INPUT_LABEL_IN_LABEL',
  'A text input in a label has no label',
  'must be left out: the label component has the text',
)
const SHORTER = invalid(
  'TEXT_INPUT_MAX_LESS_THAN_MIN',
  'Maximum is less than the minimum',
  'must not be above max_length',
)
const TOO_MANY_DEFAULTS = invalid(
  'COMPONENT_DEFAULTS_EXCEEDED',
  'Too many options are selected by default',
  'must not select more by default than a player may',
)
const TOO_FEW_OPTIONS = invalid(
  'CHECKBOX_GROUP_MAX_VALUES',
  'There are fewer options than this number',
  'must not be above the number of options',
)
const BAD_FILE_TYPE = invalid(
  'FILE_TYPE_INVALID',
  'Not a file type.',
  'must be image, video, audio or an extension with its dot',
)

/** Returns the errors of the data of a modal response; `path` is where it is in the body. */
export function modalErrors(data: unknown, path: readonly string[] = []): ValidationError[] {
  const at = new ValidationContext([], path)
  const fields = isObject(data) ? data : {}
  needText(fields, 'custom_id', { at, least: 1, most: 100 })
  needText(fields, 'title', { at, least: 1, most: 45 })
  const { components } = fields
  const walk = walkModal()
  if (components === undefined) at.at('components').addError(REQUIRED)
  else
    checkList(components, { at: at.at('components'), least: 1, most: 5 }, (item, spot) =>
      walk.check(item, spot, [1, 10, 18]),
    )
  return at.errors
}

const checkRow: CheckType = ({ components }, at, walk) => {
  if (components === undefined) return at.at('components').addError(REQUIRED)
  checkList(components, { at: at.at('components'), least: 1, most: 1 }, (item, spot) => {
    walk.check(item, spot, [TEXT_INPUT])
    if (isObject(item) && item['label'] === undefined) spot.at('label').addError(REQUIRED)
  })
}

const checkLabel: CheckType = (label, at, walk) => {
  const { description, component } = label
  needText(label, 'label', { at, least: 1, most: 45 })
  if (description !== undefined) checkText(description, at.at('description'), { least: 1, most: 100 })
  if (component === undefined) return at.at('component').addError(REQUIRED)
  walk.check(component, at.at('component'), IN_LABEL)
  if (isObject(component) && component['type'] === TEXT_INPUT && component['label'] !== undefined)
    at.at('component').at('label').addError(LABEL_TWICE)
}

const checkTextInput: CheckType = (input, at, walk) => {
  const { style, label, min_length: least, max_length: most, value, placeholder } = input
  needCustomId(input, at, walk)
  if (style === undefined) at.at('style').addError(REQUIRED)
  else isChoiceOf(style, at.at('style'), [1, 2])
  if (label !== undefined) checkText(label, at.at('label'), { least: 1, most: 45 })
  if (least !== undefined) checkInteger(least, at.at('min_length'), [0, 4000])
  if (most !== undefined) checkInteger(most, at.at('max_length'), [1, 4000])
  if (typeof least === 'number' && typeof most === 'number' && least > most)
    at.at('min_length').addError(SHORTER)
  if (value !== undefined) checkText(value, at.at('value'), { most: 4000 })
  if (placeholder !== undefined) checkText(placeholder, at.at('placeholder'), { most: 100 })
  checkFlags(input, ['required'], at)
}

const checkUpload: CheckType = (upload, at, walk) => {
  needCustomId(upload, at, walk)
  checkRange(upload, at, { most: 10, inModal: true })
  checkFlags(upload, ['required'], at)
  const { file_types: types } = upload
  if (types === undefined) return
  checkList(types, { at: at.at('file_types'), most: 10 }, (type, spot) => {
    if (typeof type !== 'string' || !/^(image|video|audio|\.[\w.+-]{1,30})$/i.test(type))
      spot.addError(BAD_FILE_TYPE)
  })
}

const checkRadioGroup: CheckType = (group, at, walk) => {
  needCustomId(group, at, walk)
  needOptions(group['options'], at.at('options'), { least: 2, most: 10 })
  checkFlags(group, ['required'], at)
  if (countDefaults(group['options']) > 1) at.at('options').addError(TOO_MANY_DEFAULTS)
}

const checkCheckboxGroup: CheckType = (group, at, walk) => {
  const { options, max_values: most } = group
  needCustomId(group, at, walk)
  needOptions(options, at.at('options'), { least: 1, most: 10 })
  checkRange(group, at, { most: 10, inModal: true })
  checkFlags(group, ['required'], at)
  if (!Array.isArray(options) || typeof most !== 'number') return
  if (most > options.length) at.at('max_values').addError(TOO_FEW_OPTIONS)
  if (countDefaults(options) > most) at.at('options').addError(TOO_MANY_DEFAULTS)
}

const checkCheckbox: CheckType = (checkbox, at, walk) => {
  needCustomId(checkbox, at, walk)
  checkFlags(checkbox, ['default'], at)
}

const checkModalSelect: CheckType = (select, at, walk) => checkSelect(select, at, { walk, inModal: true })

function walkModal(): ComponentWalk {
  return new ComponentWalk({
    1: checkRow,
    4: checkTextInput,
    ...Object.fromEntries(SELECTS.map((type) => [type, checkModalSelect])),
    10: checkTextDisplay,
    18: checkLabel,
    19: checkUpload,
    21: checkRadioGroup,
    22: checkCheckboxGroup,
    23: checkCheckbox,
  })
}
