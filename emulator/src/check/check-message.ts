/** Checks a message that an application sends: a response, a follow-up or an edit. */
import { isObject, isSnowflake } from '../foundation/values.js'
import { TOP_LEVEL, walkMessage } from './check-components.js'
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
import {
  NOT_OBJECT,
  NOT_SNOWFLAKE,
  REPEATED,
  REQUIRED,
  ValidationContext,
  type ValidationError,
} from './validation-context.js'

export const COMPONENTS_V2 = 32_768
const SETTABLE = 4 | 64 | 4096 | 8192 | COMPONENTS_V2
const MAX_COMPONENTS = 40
const MAX_TEXT = 4000

const BAD_FLAG = invalid(
  'MESSAGE_FLAGS_INVALID',
  'Invalid message flags',
  'holds a flag that an application cannot set',
)
const legacy = (name: string) =>
  invalid(
    'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
    `The '${name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
    'must not be given beside components of version 2',
  )
const TOO_MANY_COMPONENTS = invalid(
  'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
  `The number of components exceeds ${MAX_COMPONENTS}`,
  `must hold at most ${MAX_COMPONENTS} components, at every depth together`,
)
const TOO_MUCH_TEXT = invalid(
  'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
  `The displayable text exceeds ${MAX_TEXT} characters`,
  `must have at most ${MAX_TEXT} characters in all text displays`,
)
const NO_SUCH_FILE = invalid(
  'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
  'The referenced attachment was not found',
  'must name a file of the message',
)

/** Facts beside the body. */
interface MessageSituation extends KnownFiles {
  /** Where the message is in the body. */
  path?: readonly string[]
}

export function messageErrors(
  data: unknown,
  { files, edits, path = [] }: MessageSituation,
): ValidationError[] {
  const at = new ValidationContext([], path)
  if (!isObject(data)) {
    at.addError(NOT_OBJECT)
    return at.errors
  }
  const { content, embeds, allowed_mentions: mentions, poll, flags, attachments } = data
  if (isGiven(content)) checkText(content, at.at('content'), { most: 2000 })
  checkFlags(data, ['tts'], at)
  if (isGiven(flags)) checkMessageFlags(flags, at.at('flags'))
  if (isGiven(embeds)) checkEmbeds(embeds, at.at('embeds'))
  if (isGiven(mentions)) checkMentions(mentions, at.at('allowed_mentions'))
  if (isGiven(poll)) checkPoll(poll, at.at('poll'))
  if (isGiven(attachments)) checkAttachments(attachments, at.at('attachments'), { files, edits })
  const isV2 = (((typeof flags === 'number' ? flags : 0) | (edits?.flags ?? 0)) & COMPONENTS_V2) !== 0
  const names = attachedNames(attachments, { files, edits })
  checkComponents(data, at, { isV2, isEdit: edits !== undefined, names })
  return at.errors
}

/** True for a new message that would show nothing. */
export function isEmptyMessage(
  { content, embeds, components, attachments, poll }: Fields,
  files: number,
): boolean {
  const texts = typeof content === 'string' ? content.trim() !== '' : isGiven(content)
  const lists = [embeds, components, attachments].some((list) =>
    Array.isArray(list) ? list.length > 0 : isGiven(list),
  )
  return !texts && !lists && !isObject(poll) && files === 0
}

function checkMessageFlags(flags: unknown, at: ValidationContext): void {
  checkInteger(flags, at, [0, 2 ** 31 - 1])
  if (typeof flags === 'number' && Number.isInteger(flags) && (flags & ~SETTABLE) !== 0) at.addError(BAD_FLAG)
}

/** Version 1 has rows only; version 2 has nothing but components. */
function checkComponents(
  data: Fields,
  at: ValidationContext,
  { isV2, isEdit, names }: { isV2: boolean; isEdit: boolean; names: ReadonlySet<string> },
): void {
  const { components, content, poll, embeds } = data
  const walk = walkMessage()
  const spot = at.at('components')
  if (isGiven(components))
    checkList(components, { at: spot, most: isV2 ? MAX_COMPONENTS : 5 }, (item, place) =>
      walk.check(item, place, isV2 ? TOP_LEVEL : [1]),
    )
  for (const { name, at: place } of walk.references) if (!names.has(name)) place.addError(NO_SUCH_FILE)
  if (!isV2) return
  const others = { content, poll, embeds: Array.isArray(embeds) && embeds.length === 0 ? null : embeds }
  for (const [name, value] of Object.entries(others)) if (isGiven(value)) at.at(name).addError(legacy(name))
  if (!isEdit && (!Array.isArray(components) || components.length === 0)) spot.addError(REQUIRED)
  if (walk.components > MAX_COMPONENTS) spot.addError(TOO_MANY_COMPONENTS)
  if (walk.text > MAX_TEXT) spot.addError(TOO_MUCH_TEXT)
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

const WEB = ['http', 'https']
const PICTURE = [...WEB, 'attachment']
const MAX_EMBED_TEXT = 6000
const ISO8601 = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const NOT_TIME = invalid(
  'DATE_TIME_TYPE_PARSE',
  'Could not parse the value. Should be ISO8601.',
  'must be a time of ISO 8601',
)
const TOO_LONG = invalid(
  'MAX_EMBED_SIZE_EXCEEDED',
  `Embed size exceeds maximum size of ${MAX_EMBED_TEXT}`,
  `must have at most ${MAX_EMBED_TEXT} characters in all texts`,
)

function checkEmbeds(embeds: unknown, at: ValidationContext): void {
  let characters = 0
  checkList(embeds, { at, most: 10 }, (embed, spot) =>
    checkObject(embed, spot, (fields) => {
      characters += checkEmbed(fields, spot)
    }),
  )
  if (characters > MAX_EMBED_TEXT) at.addError(TOO_LONG)
}

/** Returns the number of characters in its texts. */
function checkEmbed(embed: Fields, at: ValidationContext): number {
  const { title, description, url, timestamp, color, footer, author, fields } = embed
  let characters = 0
  if (isGiven(title)) characters += checkText(title, at.at('title'), { most: 256, trims: true })
  if (isGiven(description))
    characters += checkText(description, at.at('description'), { most: 4096, trims: true })
  if (isGiven(url)) checkUrl(url, at.at('url'), { schemes: WEB })
  if (
    isGiven(timestamp) &&
    !(typeof timestamp === 'string' && ISO8601.test(timestamp) && !Number.isNaN(Date.parse(timestamp)))
  )
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
function checkLine(
  value: unknown,
  at: ValidationContext,
  { text, most }: { text: string; most: number },
): number {
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
  const texts = [title, description].some((text) =>
    typeof text === 'string' ? text.trim() !== '' : isGiven(text),
  )
  const parts = [image, thumbnail, author, footer].some(isGiven)
  return (
    !texts && !parts && !(Array.isArray(fields) ? fields.length > 0 : isObject(fields) || isGiven(fields))
  )
}

/** Hours of 32 days. */
const MAX_DURATION = 768

function checkPoll(poll: unknown, at: ValidationContext): void {
  checkObject(poll, at, (fields) => {
    const { question, answers, duration, layout_type: layout } = fields
    if (question === undefined) at.at('question').addError(REQUIRED)
    else checkMedia(question, at.at('question'), 300)
    if (answers === undefined) at.at('answers').addError(REQUIRED)
    else
      checkList(answers, { at: at.at('answers'), least: 1, most: 10 }, (answer, spot) =>
        checkObject(answer, spot, ({ poll_media: media }) => {
          if (media === undefined) spot.at('poll_media').addError(REQUIRED)
          else checkMedia(media, spot.at('poll_media'), 55)
        }),
      )
    if (duration !== undefined) checkInteger(duration, at.at('duration'), [1, MAX_DURATION])
    checkFlags(fields, ['allow_multiselect'], at)
    if (layout !== undefined) isChoiceOf(layout, at.at('layout_type'), [1])
  })
}

function checkMedia(media: unknown, at: ValidationContext, most: number): void {
  checkObject(media, at, (fields) => {
    needText(fields, 'text', { at, least: 1, most, trims: true })
    // A question has a text only.
    if (fields['emoji'] !== undefined && most < 300) checkEmoji(fields['emoji'], at.at('emoji'))
  })
}

const MENTIONABLE = ['roles', 'users', 'everyone']

function checkMentions(mentions: unknown, at: ValidationContext): void {
  checkObject(mentions, at, (fields) => {
    const { parse } = fields
    if (parse !== undefined)
      checkDistinct(
        parse,
        { at: at.at('parse'), most: 100 },
        (kind, spot) => void isChoiceOf(kind, spot, MENTIONABLE),
      )
    for (const kind of ['roles', 'users']) {
      const ids = fields[kind]
      if (ids !== undefined) checkDistinct(ids, { at: at.at(kind), most: 100 }, checkSnowflake)
      if (Array.isArray(parse) && parse.includes(kind) && Array.isArray(ids) && ids.length > 0)
        at.at('parse').addError(exclusive(kind))
    }
    checkFlags(fields, ['replied_user'], at)
  })
}

function checkDistinct(
  value: unknown,
  { at, most }: { at: ValidationContext; most: number },
  each: (item: unknown, at: ValidationContext) => void,
): void {
  const seen = new Set<unknown>()
  checkList(value, { at, most }, (item, spot) => {
    each(item, spot)
    if (seen.has(item)) spot.addError(REPEATED)
    seen.add(item)
  })
}

function exclusive(kind: string) {
  return invalid(
    'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
    `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
    `must not hold ${kind} beside a list of ${kind}`,
  )
}

const NOT_FOUND = invalid(
  'ATTACHMENT_NOT_FOUND',
  'Attachment data not found',
  'must be the index of a file that was sent, or an attachment of the message',
)
const REPEATED_ID = invalid(
  'ATTACHMENT_ID_DUPLICATED',
  'Attachment id cannot be duplicated',
  'must differ from the other ids',
)
const NOT_NUMBER = invalid('NUMBER_TYPE_COERCE', 'Value is not float.', 'must be a number')

/** Files that a message has, or gets. */
interface KnownFiles {
  /** Names of the files that were sent, by their index. */
  files: ReadonlyMap<number, string>
  /** Of an edit: attachments and flags of the message so far. */
  edits?: undefined | { attachments: readonly { id: string; filename: string }[]; flags: number }
}

function checkAttachments(attachments: unknown, at: ValidationContext, known: KnownFiles): void {
  const seen = new Set<string>()
  checkList(attachments, { at, most: 10 }, (item, spot) =>
    checkObject(item, spot, (fields) => {
      const { id, filename, title, description, duration_secs: seconds, waveform } = fields
      if (filename !== undefined) checkText(filename, spot.at('filename'), { least: 1, most: 255 })
      if (title !== undefined && title !== null) checkText(title, spot.at('title'), { most: 1024 })
      if (description !== undefined && description !== null)
        checkText(description, spot.at('description'), { most: 1024 })
      if (waveform !== undefined) checkText(waveform, spot.at('waveform'), { most: 4096 })
      if (seconds !== undefined && !Number.isFinite(seconds)) spot.at('duration_secs').addError(NOT_NUMBER)
      checkFlags(fields, ['is_spoiler'], spot)
      checkId(id, spot.at('id'), { known, seen })
    }),
  )
}

function checkId(
  id: unknown,
  at: ValidationContext,
  { known, seen }: { known: KnownFiles; seen: Set<string> },
): void {
  if (id === undefined) return at.addError(REQUIRED)
  const isIndex = typeof id === 'number' && Number.isInteger(id) && id >= 0
  if (!isIndex && !isSnowflake(id)) return at.addError(NOT_SNOWFLAKE)
  const key = String(id)
  if (seen.has(key)) at.addError(REPEATED_ID)
  seen.add(key)
  const isKept = known.edits?.attachments.some((kept) => kept.id === key) === true
  if (!isKept && !known.files.has(Number(key))) at.addError(NOT_FOUND)
}

/** Names that `attachment://` may refer to. */
function attachedNames(attachments: unknown, { files, edits }: KnownFiles): Set<string> {
  const names = new Set<string>([
    ...files.values(),
    ...(edits?.attachments ?? []).map(({ filename }) => filename),
  ])
  for (const item of Array.isArray(attachments) ? attachments : []) {
    if (isObject(item) && typeof item['filename'] === 'string' && files.has(Number(item['id'])))
      names.add(item['filename'])
  }
  return names
}
