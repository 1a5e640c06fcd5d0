/** Fields of components by type (docs/interface/messages.md#components), as data. */
import type { ValueRule, Shape } from './rule-reader'
import { EMOJI, FILE_ITEM, MEDIA_ITEM } from './message-shapes'

export const ROW = 1
export const BUTTON = 2
const STRING_SELECT = 3
export const TEXT_INPUT = 4
export const SELECTS: readonly number[] = [STRING_SELECT, 5, 6, 7, 8]
const SECTION = 9
export const TEXT_DISPLAY = 10
const THUMBNAIL = 11
const GALLERY = 12
const FILE = 13
const SEPARATOR = 14
const CONTAINER = 17
export const LABEL = 18
export const FILE_UPLOAD = 19
export const RADIO_GROUP = 21
export const CHECKBOX_GROUP = 22
const CHECKBOX = 23

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
const IN_CONTAINER: readonly number[] = [ROW, SECTION, TEXT_DISPLAY, GALLERY, FILE, SEPARATOR]

const FLAG: ValueRule = { is: 'flag' }
const CUSTOM_ID: ValueRule = { is: 'text', min: 1, max: 100, required: true }
const ALT_TEXT: ValueRule = { is: 'text', min: 1, max: 1024, nullable: true }

/** Fields of every component. */
const BASE: Shape = { type: { is: 'ignored', required: true }, id: { is: 'whole', min: 0, max: 2 ** 31 - 1 } }

const SELECT: Shape = {
  ...BASE,
  custom_id: CUSTOM_ID,
  placeholder: { is: 'text', max: 150 },
  min_values: { is: 'whole', min: 0, max: 25 },
  max_values: { is: 'whole', min: 1, max: 25 },
  required: FLAG,
  disabled: FLAG,
}

/** `types` of the ids that are selected beforehand. */
const defaults = (...types: readonly string[]): ValueRule => ({
  is: 'list',
  max: 25,
  of: {
    is: 'object',
    fields: { id: { is: 'id', required: true }, type: { is: 'one', of: types, required: true } },
  },
})

const OPTION: Shape = {
  label: { is: 'text', min: 1, max: 100, required: true },
  value: { is: 'text', min: 1, max: 100, required: true },
  description: { is: 'text', min: 1, max: 100 },
  default: FLAG,
}

const optionsOf = (fields: Shape, min: number, max: number): ValueRule => ({
  is: 'list',
  of: { is: 'object', fields },
  min,
  max,
  distinct: 'value',
  required: true,
})

/** Rules of a component by its type; made on demand, since importing a module computes nothing. */
export function shapeOf(type: number): Shape {
  switch (type) {
    case BUTTON:
      return {
        ...BASE,
        style: { is: 'one', of: [1, 2, 3, 4, 5, 6], required: true },
        label: { is: 'text', min: 1, max: 80 },
        emoji: EMOJI,
        custom_id: { is: 'text', min: 1, max: 100 },
        url: { is: 'url', schemes: ['http', 'https'], max: 512 },
        sku_id: { is: 'id' },
        disabled: FLAG,
      }
    case STRING_SELECT:
      return { ...SELECT, options: optionsOf({ ...OPTION, emoji: EMOJI }, 1, 25) }
    case 5:
      return { ...SELECT, default_values: defaults('user') }
    case 6:
      return { ...SELECT, default_values: defaults('role') }
    case 7:
      return { ...SELECT, default_values: defaults('user', 'role') }
    case 8:
      return {
        ...SELECT,
        default_values: defaults('channel'),
        channel_types: { is: 'list', of: { is: 'whole', min: 0, max: 99 } },
      }
    default:
      return layoutOf(type)
  }
}

function layoutOf(type: number): Shape {
  switch (type) {
    case SECTION:
      return {
        ...BASE,
        components: {
          is: 'list',
          of: { is: 'component', of: [TEXT_DISPLAY] },
          min: 1,
          max: 3,
          required: true,
        },
        accessory: { is: 'component', of: [BUTTON, THUMBNAIL], required: true },
      }
    case TEXT_DISPLAY:
      return { ...BASE, content: { is: 'text', min: 1, max: 4000, required: true } }
    case THUMBNAIL:
      return { ...BASE, media: MEDIA_ITEM, description: ALT_TEXT, spoiler: FLAG }
    case GALLERY: {
      const item: ValueRule = {
        is: 'object',
        fields: { media: MEDIA_ITEM, description: ALT_TEXT, spoiler: FLAG },
      }
      return { ...BASE, items: { is: 'list', of: item, min: 1, max: 10, required: true } }
    }
    case FILE:
      return { ...BASE, file: FILE_ITEM, spoiler: FLAG, name: { is: 'ignored' }, size: { is: 'ignored' } }
    case SEPARATOR:
      return { ...BASE, divider: FLAG, spacing: { is: 'one', of: [1, 2] } }
    case CONTAINER:
      return {
        ...BASE,
        components: {
          is: 'list',
          of: { is: 'component', of: IN_CONTAINER },
          min: 1,
          max: 40,
          required: true,
        },
        accent_color: { is: 'whole', min: 0, max: 0xffffff, nullable: true },
        spoiler: FLAG,
      }
    default:
      return fieldOf(type)
  }
}

/** Components of forms. */
function fieldOf(type: number): Shape {
  switch (type) {
    case LABEL:
      return {
        ...BASE,
        label: { is: 'text', min: 1, max: 45, required: true },
        description: { is: 'text', min: 1, max: 100 },
        component: { is: 'component', of: IN_LABEL, required: true },
      }
    case TEXT_INPUT:
      return {
        ...BASE,
        custom_id: CUSTOM_ID,
        style: { is: 'one', of: [1, 2], required: true },
        label: { is: 'text', min: 1, max: 45 },
        min_length: { is: 'whole', min: 0, max: 4000 },
        max_length: { is: 'whole', min: 1, max: 4000 },
        required: FLAG,
        value: { is: 'text', max: 4000 },
        placeholder: { is: 'text', max: 100 },
      }
    case FILE_UPLOAD: {
      const fileType: ValueRule = {
        is: 'pattern',
        pattern: /^(?:image|video|audio|\.[\w.+-]{1,30})$/i,
        expected: 'image, video, audio or an extension with its dot',
      }
      return {
        ...BASE,
        custom_id: CUSTOM_ID,
        ...COUNTS,
        required: FLAG,
        file_types: { is: 'list', of: fileType, max: 10 },
      }
    }
    case RADIO_GROUP:
      return { ...BASE, custom_id: CUSTOM_ID, options: optionsOf(OPTION, 2, 10), required: FLAG }
    case CHECKBOX_GROUP:
      return { ...BASE, custom_id: CUSTOM_ID, options: optionsOf(OPTION, 1, 10), ...COUNTS, required: FLAG }
    case CHECKBOX:
      return { ...BASE, custom_id: CUSTOM_ID, default: FLAG }
    default:
      return BASE
  }
}

const COUNTS: Shape = {
  min_values: { is: 'whole', min: 0, max: 10 },
  max_values: { is: 'whole', min: 1, max: 10 },
}
