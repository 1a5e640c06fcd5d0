/** Forms: one to five labels, texts and rows. */
import { TEXT_STYLES } from '../model/number-names.js'
import { fieldsOf, isObject } from '../foundation/values.js'
import {
  checkIds,
  component,
  componentsIn,
  customId,
  mostValues,
  optionList,
  rangeFields,
  rangeRule,
  selects,
  textDisplay,
} from './check-components.js'
import { fileTypes } from './file-types.js'
import { anyText, isGiven, shownText } from './message-parts.js'
import { problem, REQUIRED } from './problems.js'
import { byType, flag, integer, list, object, oneOf, omittable, type Place } from './schema.js'

const LABEL_TWICE = problem(
  'TEXT_INPUT_LABEL_IN_LABEL',
  'A text input in a label has no label',
  'must be left out: the label component has the text',
)
const SHORTER = problem(
  'TEXT_INPUT_MAX_LESS_THAN_MIN',
  'Maximum is less than the minimum',
  'must not be above max_length',
)
const TOO_MANY_DEFAULTS = problem(
  'COMPONENT_DEFAULTS_EXCEEDED',
  'Too many options are selected by default',
  'must not select more by default than a player may',
)
const TOO_FEW_OPTIONS = problem(
  'CHECKBOX_GROUP_MAX_VALUES',
  'There are fewer options than this number',
  'must not be above the number of options',
)

const TEXT_INPUT = 4
const inRange = rangeRule('modal')

const textInput = component(
  {
    custom_id: customId,
    style: oneOf([1, 2], TEXT_STYLES),
    label: omittable(shownText(1, 45)),
    min_length: omittable(integer(0, 4000)),
    max_length: omittable(integer(1, 4000)),
    value: omittable(anyText(4000)),
    placeholder: omittable(anyText(100)),
    required: omittable(flag),
  },
  ({ min_length: least, max_length: most }, at) => {
    if (typeof least === 'number' && typeof most === 'number' && least > most)
      at.at('min_length').add(SHORTER)
  },
)

const upload = component(
  { custom_id: customId, ...rangeFields(10), required: omittable(flag), file_types: omittable(fileTypes) },
  inRange,
)

const radioGroup = component(
  { custom_id: customId, options: optionList([2, 10]), required: omittable(flag) },
  (group, at) => checkDefaults(group['options'], 1, at),
)

const checkboxGroup = component(
  { custom_id: customId, options: optionList([1, 10]), ...rangeFields(10), required: omittable(flag) },
  (group, at) => {
    inRange(group, at)
    const { options: all, max_values: most } = group
    if (Array.isArray(all) && typeof most === 'number' && most > all.length)
      at.at('max_values').add(TOO_FEW_OPTIONS)
    checkDefaults(all, mostValues(group), at)
  },
)

function checkDefaults(all: unknown, most: number, at: Place): void {
  if (!Array.isArray(all)) return
  const selected = all.filter((option) => isObject(option) && option['default'] === true)
  if (selected.length > most) at.at('options').add(TOO_MANY_DEFAULTS)
}

const row = component(
  { components: list(byType({ [TEXT_INPUT]: textInput }), { least: 1, most: 1 }) },
  ({ components }, at) => {
    const [input] = Array.isArray(components) ? components : []
    if (isObject(input) && !isGiven(input['label'])) at.at('components', 0, 'label').add(REQUIRED)
  },
)

const label = component(
  {
    label: shownText(1, 45),
    description: omittable(shownText(1, 100)),
    component: byType({
      [TEXT_INPUT]: textInput,
      ...selects('modal'),
      19: upload,
      21: radioGroup,
      22: checkboxGroup,
      23: component({ custom_id: customId, default: omittable(flag) }),
    }),
  },
  ({ component: inner }, at) => {
    const { type, label: second } = fieldsOf(inner)
    if (type === TEXT_INPUT && isGiven(second)) at.at('component', 'label').add(LABEL_TWICE)
  },
)

/** The data of a response that opens a form. */
export const modalBody = object(
  {
    custom_id: customId,
    title: shownText(1, 45),
    components: list(byType({ 1: row, 10: textDisplay, 18: label }), { least: 1, most: 5 }),
  },
  ({ components }, at) => checkIds(componentsIn(components, at.at('components'))),
)
