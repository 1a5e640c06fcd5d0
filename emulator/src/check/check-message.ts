/** Messages that an application or a player sends: responses, follow-ups, edits, and messages of lobbies. */
import { fieldsOf, isObject, isSnowflake } from '../foundation/values.js'
import type { LobbyBehavior } from '../state/lobby-behavior.js'
import {
  checkIds,
  componentsIn,
  filesShown,
  layout,
  MAX_COMPONENTS,
  rows,
  shownCharacters,
} from './check-components.js'
import { metadataOf } from './check-lobby.js'
import { anyText, emoji, isGiven, PICTURE, shownText, trimmedText, url, WEB } from './message-parts.js'
import { problem, REQUIRED, type Problem } from './problems.js'
import {
  also,
  anything,
  apart,
  flag,
  integer,
  list,
  nullish,
  number,
  object,
  oneOf,
  omittable,
  pattern,
  refine,
  set,
  snowflake,
  text,
  type Fields,
  type Place,
  type Rule,
  type Schema,
  type ValueOf,
} from './schema.js'

export const COMPONENTS_V2 = 32_768
const SETTABLE = 4 | 64 | 4096 | 8192 | COMPONENTS_V2
const MAX_INT = 2 ** 31 - 1
const MAX_TEXT = 4000

/** Files that a message has, or gets. */
export interface KnownFiles {
  /** Names of the files that were sent, by their index. */
  files: ReadonlyMap<number, string>
  /** Of an edit: attachments and flags of the message so far. */
  edits?: undefined | { attachments: readonly { id: string; filename: string }[]; flags: number }
}

export function messageBody(known: KnownFiles): Schema<unknown> {
  return object(
    {
      ...messageFields(known),
      content: nullish(anyText(2000)),
      flags: nullish(
        refine(integer(0, MAX_INT), (flags, at) => {
          if ((flags & ~SETTABLE) !== 0) at.add(BAD_FLAG)
        }),
      ),
    },
    (fields, at) => {
      checkComponents(fields, at, known)
      checkVersion(fields, at, known)
    },
  )
}

type LobbyRules = Pick<LobbyBehavior, 'metadataUnit' | 'messageLength'>

/** A lobby shows only the text: the other fields must be right, and are not kept. */
export const lobbyMessageBody = (rules: LobbyRules) =>
  object(
    {
      ...messageFields({ files: new Map() }),
      content: anyText(rules.messageLength),
      metadata: metadataOf(rules),
      flags: nullish(integer(0, MAX_INT)),
    },
    (fields, at) => checkComponents(fields, at, { files: new Map() }),
  )

export type LobbyMessageBody = ValueOf<ReturnType<typeof lobbyMessageBody>>

/** True for a new message that would show nothing. */
export function isEmptyMessage(
  { content, embeds, components, attachments, poll }: Fields,
  files: number,
): boolean {
  const texts = typeof content === 'string' ? content.trim() !== '' : isGiven(content)
  const lists = [embeds, components, attachments].some((items) =>
    Array.isArray(items) ? items.length > 0 : isGiven(items),
  )
  return !texts && !lists && !isObject(poll) && files === 0
}

const LARGEST_NONCE = Number.MAX_SAFE_INTEGER
const nonce: Schema<unknown> = {
  check: (value, at) =>
    (typeof value === 'number' ? integer(-LARGEST_NONCE, LARGEST_NONCE) : anyText(25)).check(value, at),
}

/** More than the levels that a message can have: deeper ones are refused. */
const DEEPEST = 10

/** Components without their fields that are null: which schema checks them depends on the flags of the message. */
function withoutNulls(value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) return value
  if (Array.isArray(value)) return value.map((each) => withoutNulls(each, depth + 1))
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([, each]) => each !== null)
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutNulls(each, depth + 1)]))
}

/** Fields of every message but its text and its flags. */
function messageFields(known: KnownFiles) {
  return {
    tts: omittable(flag),
    embeds: nullish(embeds),
    allowed_mentions: nullish(mentions),
    components: { ...anything, pick: withoutNulls },
    attachments: nullish(attachmentsOf(known)),
    poll: nullish(poll),
    sticker_ids: nullish(list(snowflake, { most: 3 })),
    message_reference: nullish(reference),
    shared_client_theme: nullish(theme),
    nonce: nullish(nonce),
    enforce_nonce: nullish(flag),
  }
}

const BAD_FLAG = problem(
  'MESSAGE_FLAGS_INVALID',
  'Invalid message flags',
  'holds a flag that an application cannot set',
)
const NO_SUCH_FILE = problem(
  'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
  'The referenced attachment was not found',
  'must name a file of the message',
)

function isVersion2({ flags }: Fields, { edits }: KnownFiles): boolean {
  return (((typeof flags === 'number' ? flags : 0) | (edits?.flags ?? 0)) & COMPONENTS_V2) !== 0
}

/** Version 1 has rows only. */
function checkComponents(fields: Fields, at: Place, known: KnownFiles): void {
  const { components, attachments } = fields
  const place = at.at('components')
  if (!isGiven(components)) return
  const schema = isVersion2(fields, known) ? layout : rows
  schema.check(components, place)
  const found = componentsIn(components, place)
  checkIds(found)
  const names = attachedNames(attachments, known)
  for (const file of filesShown(found)) if (!names.has(file.name)) file.at.add(NO_SUCH_FILE)
}

const TOO_MANY_COMPONENTS = problem(
  'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
  `The number of components exceeds ${MAX_COMPONENTS}`,
  `must hold at most ${MAX_COMPONENTS} components, at every depth together`,
)
const TOO_MUCH_TEXT = problem(
  'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
  `The displayable text exceeds ${MAX_TEXT} characters`,
  `must have at most ${MAX_TEXT} characters in all text displays`,
)

/** Version 2 has nothing but components. */
function checkVersion(fields: Fields, at: Place, known: KnownFiles): void {
  if (!isVersion2(fields, known)) return
  const { components, content, poll: question, embeds: all } = fields
  const others = {
    content,
    poll: question,
    embeds: Array.isArray(all) && all.length === 0 ? null : all,
  }
  for (const [name, value] of Object.entries(others)) if (isGiven(value)) at.at(name).add(legacyField(name))
  const place = at.at('components')
  if (known.edits === undefined && (!Array.isArray(components) || components.length === 0))
    place.add(REQUIRED)
  const found = componentsIn(components, place)
  if (found.length > MAX_COMPONENTS) place.add(TOO_MANY_COMPONENTS)
  if (shownCharacters(found) > MAX_TEXT) place.add(TOO_MUCH_TEXT)
}

function legacyField(name: string): Problem {
  return problem(
    'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
    `The '${name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
    'must not be given beside components of version 2',
  )
}

const MAX_EMBED_TEXT = 6000
const ISO8601 = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const NOT_TIME = problem(
  'DATE_TIME_TYPE_PARSE',
  'Could not parse the value. Should be ISO8601.',
  'must be a time of ISO 8601',
)
const EMBEDS_TOO_LONG = problem(
  'MAX_EMBED_SIZE_EXCEEDED',
  `Embed size exceeds maximum size of ${MAX_EMBED_TEXT}`,
  `must have at most ${MAX_EMBED_TEXT} characters in all texts`,
)

/** Fields that the service itself measures of a picture or a film. They are not taken over, but each must have its type. */
const measured = {
  width: nullish(integer()),
  height: nullish(integer()),
  placeholder: nullish(anyText(64)),
  placeholder_version: nullish(integer(0, MAX_INT)),
  is_animated: nullish(flag),
  description: nullish(anyText(4096)),
}
const picture = nullish(object({ url: url(PICTURE), ...measured }))
const time = refine(pattern(ISO8601, NOT_TIME), (value, at) => {
  if (Number.isNaN(Date.parse(value))) at.add(NOT_TIME)
})

const embed = object(
  {
    type: nullish(anyText()),
    title: nullish(trimmedText(0, 256)),
    description: nullish(trimmedText(0, 4096)),
    url: nullish(url(WEB)),
    timestamp: nullish(time),
    color: nullish(integer(0, 16_777_215)),
    footer: nullish(object({ text: trimmedText(1, 2048), icon_url: nullish(url(PICTURE)) })),
    author: nullish(
      object({ name: trimmedText(1, 256), url: nullish(url(WEB)), icon_url: nullish(url(PICTURE)) }),
    ),
    image: picture,
    thumbnail: picture,
    provider: nullish(object({ name: nullish(anyText(256)), url: nullish(url(WEB)) })),
    video: nullish(object({ url: nullish(url(WEB)), ...measured })),
    fields: nullish(
      list(object({ name: trimmedText(1, 256), value: trimmedText(1, 1024), inline: omittable(flag) }), {
        most: 25,
      }),
    ),
  },
  (fields, at) => {
    if (isBlank(fields)) at.at('description').add(REQUIRED)
  },
)

const embeds = also(list(embed, { most: 10 }), (value, at) => {
  const all = Array.isArray(value) ? value.slice(0, 100) : []
  if (all.reduce<number>((sum, each) => sum + embedCharacters(fieldsOf(each)), 0) > MAX_EMBED_TEXT)
    at.add(EMBEDS_TOO_LONG)
})

function embedCharacters({ title, description, footer, author, fields }: Fields): number {
  const rest = (Array.isArray(fields) ? fields.slice(0, 100) : []).map(fieldsOf)
  const texts = [
    title,
    description,
    fieldsOf(footer)['text'],
    fieldsOf(author)['name'],
    ...rest.flatMap(({ name, value }) => [name, value]),
  ]
  return texts.reduce<number>(
    (sum, each) => sum + (typeof each === 'string' ? Array.from(each.trim()).length : 0),
    0,
  )
}

/** True if nothing would be visible. */
function isBlank({ title, description, fields, image, thumbnail, author, footer }: Fields): boolean {
  const texts = [title, description].some((each) =>
    typeof each === 'string' ? each.trim() !== '' : isGiven(each),
  )
  const parts = [image, thumbnail, author, footer].some(isGiven)
  return !texts && !parts && !(Array.isArray(fields) ? fields.length > 0 : isGiven(fields))
}

/** Hours of 32 days. */
const MAX_DURATION = 768

const poll = object({
  // A question shows its text only.
  question: object({ text: trimmedText(1, 300), emoji: nullish(emoji) }),
  answers: list(object({ poll_media: object({ text: trimmedText(1, 55), emoji: omittable(emoji) }) }), {
    least: 1,
    most: 10,
  }),
  duration: omittable(integer(1, MAX_DURATION)),
  allow_multiselect: omittable(flag),
  layout_type: omittable(oneOf([1])),
})

const exclusive: Rule = ({ parse, ...lists }, at) => {
  for (const kind of ['roles', 'users']) {
    const ids = lists[kind]
    if (Array.isArray(parse) && parse.includes(kind) && Array.isArray(ids) && ids.length > 0)
      at.at('parse').add(
        problem(
          'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
          `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
          `must not hold ${kind} beside a list of ${kind}`,
        ),
      )
  }
}

const mentions = object(
  {
    parse: omittable(set(oneOf(['roles', 'users', 'everyone']), { most: 100 })),
    roles: omittable(set(snowflake, { most: 100 })),
    users: omittable(set(snowflake, { most: 100 })),
    replied_user: omittable(flag),
  },
  exclusive,
)

const reference = object({
  message_id: snowflake,
  channel_id: nullish(snowflake),
  guild_id: nullish(snowflake),
  type: nullish(oneOf([0, 1])),
  fail_if_not_exists: nullish(flag),
})

const theme = object({
  colors: list(text({ least: 6, most: 6 }), { least: 1, most: 5 }),
  gradient_angle: integer(0, 360),
  base_mix: integer(0, 100),
  base_theme: nullish(integer(0, 4)),
})

const NOT_FOUND = problem(
  'ATTACHMENT_NOT_FOUND',
  'Attachment data not found',
  'must be the index of a file that was sent, or an attachment of the message',
)
const REPEATED_ID = problem(
  'ATTACHMENT_ID_DUPLICATED',
  'Attachment id cannot be duplicated',
  'must differ from the other ids',
)

function attachmentsOf({ files, edits }: KnownFiles): Schema<unknown[]> {
  const index: Schema<unknown> = {
    check(id, at) {
      if (typeof id !== 'number' || !Number.isInteger(id) || id < 0) snowflake.check(id, at)
    },
  }
  const id = refine(index, (value, at) => {
    const isKept = edits?.attachments.some((kept) => kept.id === String(value)) === true
    if (!isKept && !files.has(Number(value))) at.add(NOT_FOUND)
  })
  const attachment = object({
    id,
    filename: omittable(shownText(1, 255)),
    title: nullish(anyText(1024)),
    description: nullish(anyText(1024)),
    duration_secs: omittable(number(0, MAX_INT)),
    waveform: omittable(anyText(400)),
    is_remix: omittable(flag),
    is_spoiler: omittable(flag),
  })
  return also(list(attachment, { most: 10 }), (value, at) =>
    apart(value, at, keyOfAttachment, { path: ['id'], wrong: REPEATED_ID }),
  )
}

function keyOfAttachment(item: unknown): string | undefined {
  const { id } = fieldsOf(item)
  return typeof id === 'number' || isSnowflake(id) ? String(id) : undefined
}

/** Names that `attachment://` may refer to. */
function attachedNames(attachments: unknown, { files, edits }: KnownFiles): Set<string> {
  const kept = (edits?.attachments ?? []).map(({ filename }) => filename)
  const renamed = (Array.isArray(attachments) ? attachments.slice(0, 100) : []).flatMap((item) => {
    const { id, filename } = fieldsOf(item)
    return typeof filename === 'string' && files.has(Number(id)) ? [filename] : []
  })
  return new Set([...files.values(), ...kept, ...renamed])
}
