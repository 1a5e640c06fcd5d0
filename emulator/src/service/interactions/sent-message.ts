/** Converts what an application sends to the content of a stored message: files get addresses, and references to them too. */
import { fieldsOf, isObject, textOf } from '../../foundation/values.js'
import type { Attachments } from './attachments.js'
import type { Files } from './backend-response.js'
import type { Content, Message } from './messages.js'

/** A message as it was sent. */
export interface SentMessage {
  data: Record<string, unknown>
  files: Files
}

interface Target {
  attachments: Attachments
  channelId: string
  /** Epoch milliseconds. */
  now: number
  /** The message that is edited. */
  before?: Message | undefined
}

const HOUR = 3_600_000

type Fields = Record<string, unknown>

/** Picks the fields of a message that a backend may set. Null clears a field. */
export function contentFrom({ data, files }: SentMessage, target: Target): Content {
  const { content, embeds, components, flags, poll } = data
  const attachments = attachmentsOf({ data, files }, target)
  const urls = new Map(
    (attachments ?? target.before?.attachments ?? []).map((item) => [
      textOf(fieldsOf(item)['filename']),
      fieldsOf(item)['url'],
    ]),
  )
  return {
    ...(content === undefined ? {} : { content: textOf(content) ?? '' }),
    ...(embeds === undefined
      ? {}
      : { embeds: listOf(embeds).map((embed) => resolveUrls(storedEmbed(fieldsOf(embed)), urls)) }),
    ...(components === undefined
      ? {}
      : {
          components: withIds(
            listOf(components).map((component) => resolveUrls(component, urls)),
            (attachments ?? target.before?.attachments ?? []).map(fieldsOf),
          ),
        }),
    ...(attachments === undefined ? {} : { attachments }),
    ...(flags === undefined || flags === null ? {} : { flags: Number(flags) }),
    ...(isObject(poll) ? { poll: storedPoll(poll, target.now) } : {}),
  }
}

/** New files with their descriptions, after the earlier ones that stay; undefined if nothing changes. */
function attachmentsOf(
  { data: { attachments }, files }: SentMessage,
  { attachments: store, channelId, before }: Target,
): unknown[] | undefined {
  if (attachments === undefined && files.size === 0) return undefined
  const listed = listOf(attachments).map(fieldsOf)
  const earlier = before?.attachments.map(fieldsOf) ?? []
  const kept =
    attachments === undefined
      ? earlier
      : earlier.filter(({ id }) => listed.some((item) => String(item['id']) === id))
  const described = kept.map((item) => ({
    ...item,
    ...describe(listed.find(({ id }) => String(id) === item['id'])),
  }))
  const added = [...files]
    .toSorted(([a], [b]) => a - b)
    .map(([index, file]) => {
      const own = listed.find(({ id }) => String(id) === String(index))
      const id = store.keep({ ...file, filename: textOf(own?.['filename']) ?? file.filename }, channelId)
      return { ...store.payload(id), ...describe(own) }
    })
  return [...described, ...added]
}

function describe(fields: Record<string, unknown> = {}): Record<string, unknown> {
  const { title, description } = fields
  return {
    ...(textOf(title) === undefined ? {} : { title }),
    ...(textOf(description) === undefined ? {} : { description }),
  }
}

/** Fields of an embed that the service finds out by itself. */
const IGNORED = new Set(['provider', 'video'])

/** An embed as messages show it: a field that is null is left out, and each entry of `fields` says whether it is inline. */
function storedEmbed(embed: Record<string, unknown>): Record<string, unknown> {
  const own = Object.entries(withoutNulls(embed)).filter(([name]) => !IGNORED.has(name))
  const { fields, ...rest }: Fields = Object.fromEntries(own)
  const stored = listOf(fields).map((field) => ({ inline: false, ...fieldsOf(field) }))
  return { type: 'rich', ...rest, ...(fields === undefined ? {} : { fields: stored }) }
}

function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([name, item]) => [name, isObject(item) ? withoutNulls(item) : item]),
  )
}

/** Replaces `attachment://name` by the address of that file, at any depth. */
function resolveUrls(value: unknown, urls: ReadonlyMap<string | undefined, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveUrls(item, urls))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const file =
        typeof item === 'string' && name.endsWith('url')
          ? /^attachment:\/\/(.+)$/s.exec(item)?.[1]
          : undefined
      return [name, file === undefined ? resolveUrls(item, urls) : (urls.get(file) ?? item)]
    }),
  )
}

const RANGE = { min_values: 1, max_values: 1 }
const PICTURE = { description: null, spoiler: false }

/** Fields that a component which is shown always has, by its type. */
const DEFAULTS: Readonly<Record<number, Fields>> = {
  3: RANGE,
  5: RANGE,
  6: RANGE,
  7: RANGE,
  8: RANGE,
  11: PICTURE,
  13: { spoiler: false },
  14: { divider: true, spacing: 1 },
  17: { accent_color: null, spoiler: false },
}

/** The fields of a component with pictures or a file as they are shown: `media` with the addresses, and what is known of the file. */
function shownMedia({ media, file, items }: Fields, id: string, files: readonly Fields[]): Fields {
  const show = (item: unknown): Fields => {
    const { url } = fieldsOf(item)
    const own = files.find((each) => each['url'] === url)
    return { id: own?.['id'] ?? id, url, proxy_url: url, ...(own && { attachment_id: own['id'] }) }
  }
  const stored = files.find((each) => each['url'] === fieldsOf(file)['url'])
  return {
    ...(isObject(media) ? { media: show(media) } : {}),
    ...(isObject(file) ? { file: show(file), name: stored?.['filename'], size: stored?.['size'] } : {}),
    ...(Array.isArray(items)
      ? {
          items: items.map(fieldsOf).map((item) => ({ ...PICTURE, ...item, media: show(item['media']) })),
        }
      : {}),
  }
}

/** Gives each component its defaults and, if it has none, the next id that is free, at any depth. */
function withIds(components: unknown[], files: readonly Fields[]): unknown[] {
  const used = new Set<unknown>()
  const collect = (item: unknown): void => {
    const { id, components: inner, accessory } = fieldsOf(item)
    if (typeof id === 'number') used.add(id)
    for (const each of [...listOf(inner), accessory]) if (isObject(each)) collect(each)
  }
  let last = 0
  const free = (): number => {
    do last += 1
    while (used.has(last))
    return last
  }
  const give = (item: unknown): unknown => {
    const fields = fieldsOf(item)
    const { type, id: given, components: inner, accessory } = fields
    const id = typeof given === 'number' && given !== 0 ? given : free()
    return {
      ...DEFAULTS[Number(type)],
      ...fields,
      id,
      ...shownMedia(fields, String(id), files),
      ...(Array.isArray(inner) ? { components: inner.map(give) } : {}),
      ...(isObject(accessory) ? { accessory: give(accessory) } : {}),
    }
  }
  for (const item of components) collect(item)
  return components.map(give)
}

/** A poll with numbered answers, and its end instead of its duration. */
function storedPoll(
  {
    question,
    answers,
    duration = 24,
    allow_multiselect: multiple = false,
    layout_type: layout = 1,
  }: Record<string, unknown>,
  now: number,
) {
  return {
    question,
    answers: listOf(answers).map((answer, index) => ({ answer_id: index + 1, ...fieldsOf(answer) })),
    expiry: new Date(now + Number(duration) * HOUR).toISOString(),
    allow_multiselect: multiple,
    layout_type: layout,
    results: { is_finalized: false, answer_counts: [] },
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
