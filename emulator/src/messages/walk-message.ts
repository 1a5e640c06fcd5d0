/** Checks the components of a message: rows, and the layout of version 2. */
import { isObject } from '../foundation/type-guards.js'
import { REQUIRED, type ValidationContext } from '../api/validation-context.js'
import { checkButton, checkSelect, SELECTS } from './check-select.js'
import { ComponentWalk, type CheckType } from './component-walk.js'
import {
  checkFlags,
  checkInteger,
  checkList,
  checkObject,
  checkText,
  checkUrl,
  invalid,
  isChoiceOf,
  needText,
  type Fields,
} from './fields.js'

const TOO_WIDE = invalid('COMPONENT_LAYOUT_WIDTH_EXCEEDED', 'The specified component exceeds the maximum width', 'must be alone in its row')
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
  else checkList(components, { at: at.at('components'), least: 1, most: 3 }, (item, spot) => walk.check(item, spot, [TEXT_DISPLAY]))
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
  if (description !== undefined && description !== null) checkText(description, at.at('description'), { least: 1, most: 1024 })
  checkFlags(component, ['spoiler'], at)
}

function needItem(item: unknown, at: ValidationContext, { walk, schemes }: { walk: ComponentWalk; schemes: readonly string[] }): void {
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
  else checkList(components, { at: at.at('components'), least: 1, most: 40 }, (item, spot) => walk.check(item, spot, IN_CONTAINER))
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
