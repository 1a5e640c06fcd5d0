/** Checks the embeds of a message. */
import { isObject } from '../foundation/type-guards.js'
import { REQUIRED, type ValidationContext } from '../api/validation-context.js'
import { checkFlags, checkInteger, checkList, checkObject, checkText, checkUrl, invalid, needText, type Fields } from './fields.js'

const WEB = ['http', 'https']
const PICTURE = [...WEB, 'attachment']
const MAX_TEXT = 6000
const ISO8601 = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const NOT_TIME = invalid('DATE_TIME_TYPE_PARSE', 'Could not parse the value. Should be ISO8601.', 'must be a time of ISO 8601')
const TOO_LONG = invalid(
  'MAX_EMBED_SIZE_EXCEEDED',
  `Embed size exceeds maximum size of ${MAX_TEXT}`,
  `must have at most ${MAX_TEXT} characters in all texts`,
)

export function checkEmbeds(embeds: unknown, at: ValidationContext): void {
  let characters = 0
  checkList(embeds, { at, most: 10 }, (embed, spot) =>
    checkObject(embed, spot, (fields) => {
      characters += checkEmbed(fields, spot)
    }),
  )
  if (characters > MAX_TEXT) at.addError(TOO_LONG)
}

/** Returns the number of characters in its texts. */
function checkEmbed(embed: Fields, at: ValidationContext): number {
  const { title, description, url, timestamp, color, footer, author, fields } = embed
  let characters = 0
  if (isGiven(title)) characters += checkText(title, at.at('title'), { most: 256, trims: true })
  if (isGiven(description)) characters += checkText(description, at.at('description'), { most: 4096, trims: true })
  if (isGiven(url)) checkUrl(url, at.at('url'), { schemes: WEB })
  if (isGiven(timestamp) && !(typeof timestamp === 'string' && ISO8601.test(timestamp) && !Number.isNaN(Date.parse(timestamp))))
    at.at('timestamp').addError(NOT_TIME)
  if (isGiven(color)) checkInteger(color, at.at('color'), [0, 16_777_215])
  if (isGiven(footer)) characters += checkLine(footer, at.at('footer'), { text: 'text', most: 2048 })
  if (isGiven(author)) characters += checkLine(author, at.at('author'), { text: 'name', most: 256 })
  for (const name of ['image', 'thumbnail']) if (isGiven(embed[name])) checkPicture(embed[name], at.at(name))
  if (isGiven(fields)) characters += checkFields(fields, at.at('fields'))
  if (isBlank(embed)) at.at('description').addError(REQUIRED)
  return characters
}

/** Footer or author. */
function checkLine(value: unknown, at: ValidationContext, { text, most }: { text: string; most: number }): number {
  let characters = 0
  checkObject(value, at, (line) => {
    characters = needText(line, text, { at, least: 1, most, trims: true })
    if (isGiven(line['icon_url'])) checkUrl(line['icon_url'], at.at('icon_url'), { schemes: PICTURE })
    if (text === 'name' && isGiven(line['url'])) checkUrl(line['url'], at.at('url'), { schemes: WEB })
  })
  return characters
}

function checkPicture(value: unknown, at: ValidationContext): void {
  checkObject(value, at, ({ url }) => {
    if (url === undefined) at.at('url').addError(REQUIRED)
    else checkUrl(url, at.at('url'), { schemes: PICTURE })
  })
}

function checkFields(value: unknown, at: ValidationContext): number {
  let characters = 0
  checkList(value, { at, most: 25 }, (item, spot) =>
    checkObject(item, spot, (field) => {
      characters += needText(field, 'name', { at: spot, least: 1, most: 256, trims: true })
      characters += needText(field, 'value', { at: spot, least: 1, most: 1024, trims: true })
      checkFlags(field, ['inline'], spot)
    }),
  )
  return characters
}

/** True if nothing would be visible. */
function isBlank({ title, description, fields, image, thumbnail, author, footer }: Fields): boolean {
  const texts = [title, description].some((text) => (typeof text === 'string' ? text.trim() !== '' : isGiven(text)))
  const parts = [image, thumbnail, author, footer].some(isGiven)
  return !texts && !parts && !(Array.isArray(fields) ? fields.length > 0 : isObject(fields) || isGiven(fields))
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
