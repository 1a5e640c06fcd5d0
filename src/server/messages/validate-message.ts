/** Validates messages before sending (docs/interface/messages.md). */
import { check, checkObject, collectIssues, flag, anything } from '../../shared/foundation/rules'
import { isRecord, ownFields } from '../../shared/foundation/untrusted-values'
import type { Issue } from '../../shared/foundation/errors'
import { sizeOfFile } from './file-data'
import { component, componentList, LEGACY_TOP, TOP } from './component'
import { MessageCheck, type MessagePlace } from './message-check'
import type { MessageShape } from './message-kinds'
import { CONTENT, FILE, MESSAGE } from './message-shapes'

/** Options of `validateMessage`. */
export interface ValidateMessageOptions {
  /** `create`: a new message. `edit`: absent fields stay unchanged, and null clears. Default: `create`. */
  operation?: 'create' | 'edit' | undefined
  /** Largest file in bytes, as `attachment_size_limit` of the interaction states. Default: not checked. */
  attachmentSizeLimit?: number | undefined
}

/** Message flags. EPHEMERAL shows a message to one player. */
export const EPHEMERAL = 64
export const COMPONENTS_V2 = 32_768
/** SUPPRESS_EMBEDS, EPHEMERAL, SUPPRESS_NOTIFICATIONS, IS_VOICE_MESSAGE, IS_COMPONENTS_V2: those that an application may set. */
const SETTABLE = 4 | EPHEMERAL | 4096 | 8192 | COMPONENTS_V2
const MAX_COMPONENTS = 40
const MAX_TEXT = 4000
const MAX_EMBED_TEXT = 6000
const MAX_ROWS = 5
const MAX_FILES = 10
const EMBED_PARTS = ['title', 'description', 'fields', 'image', 'thumbnail', 'author', 'footer'] as const

/**
 * Returns all issues of a message: what `reply`, `followUp`, `editReply` and `update` take. Without an issue the service accepts it, as far
 * as that depends on the message alone. Accepts any value and never throws.
 *
 * @example
 * ```ts
 * validateMessage({ embeds: [{ titel: 'Score' }] }) // [{ path: 'embeds[0].titel', message: 'is no field: did you mean title?', … }]
 * ```
 */
export function validateMessage(message: unknown, options: ValidateMessageOptions = {}): Issue[] {
  return collectIssues(new MessageCheck({ isModal: false }), (at) => {
    if (typeof message === 'string') checkText(message, ownFields({ ...options }), at)
    else checkMessage(message, ownFields({ ...options }), at)
  })
}

/** A message that is its content alone: no rule of another field, or between several, can apply. Most replies are one. */
function checkText(
  content: string,
  { operation = 'create' }: ValidateMessageOptions,
  at: MessagePlace,
): void {
  check(content, CONTENT, at.field('content'))
  if (operation === 'create' && isNothing(content)) at.add('empty_message')
}

/** A message as a game writes it. */
const WRITTEN: MessageShape = { ...MESSAGE, ephemeral: { is: flag }, files: { is: anything } }
const LEGACY_MESSAGE: MessageShape = {
  ...WRITTEN,
  components: { is: componentList, of: { is: component, types: LEGACY_TOP }, max: MAX_ROWS, nullable: true },
}
const MESSAGE_OF_COMPONENTS: MessageShape = {
  ...WRITTEN,
  components: { is: componentList, of: { is: component, types: TOP }, max: MAX_COMPONENTS, nullable: true },
}

function checkMessage(
  message: unknown,
  { operation = 'create', attachmentSizeLimit }: ValidateMessageOptions,
  at: MessagePlace,
): void {
  const isV2 = isRecord(message) && usesComponentsV2(message)
  if (!checkObject(message, isV2 ? MESSAGE_OF_COMPONENTS : LEGACY_MESSAGE, at)) return
  const { flags, embeds, allowed_mentions: mentions, files, attachments } = message
  if (flags !== undefined) checkFlags(flags, at.field('flags'))
  if (embeds !== undefined) checkEmbeds(embeds, at.field('embeds'))
  if (mentions !== undefined) checkMentions(mentions, at.field('allowed_mentions'))
  const names = checkFiles(files, at.field('files'), attachmentSizeLimit)
  if (attachments !== undefined)
    checkAttachments(attachments, { names, operation, at: at.field('attachments') })
  if (operation === 'create') checkReferences(names, at)
  if (isV2) checkVersion2(message, operation, at)
  else if (operation === 'create' && isEmpty(message)) at.add('empty_message')
}

/** True if the flag is set, or a component exists in version 2 only. */
export function usesComponentsV2({ flags, components }: Readonly<Record<string, unknown>>): boolean {
  if (typeof flags === 'number' && (flags & COMPONENTS_V2) !== 0) return true
  return (
    Array.isArray(components) &&
    components.some((each) => isRecord(each) && each['type'] !== 1 && TOP.includes(Number(each['type'])))
  )
}

function checkFlags(flags: unknown, at: MessagePlace): void {
  if (typeof flags === 'number' && Number.isInteger(flags) && (flags & ~SETTABLE) !== 0)
    at.add('unknown_flags', { allowed: [4, EPHEMERAL, 4096, 8192, COMPONENTS_V2] })
}

/** All texts count together, and an embed without any part shows nothing. */
function checkEmbeds(embeds: unknown, at: MessagePlace): void {
  if (!Array.isArray(embeds)) return
  const { embedText } = at.state
  if (embedText > MAX_EMBED_TEXT) at.add('too_large', { max: MAX_EMBED_TEXT, actual: embedText })
  for (const [index, embed] of embeds.entries()) {
    if (!isRecord(embed)) continue
    const isBlank = EMBED_PARTS.every((name) => isNothing(embed[name]))
    if (isBlank) at.element(index).field('description').add('empty_embed')
  }
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

function checkMentions(mentions: unknown, at: MessagePlace): void {
  if (!isRecord(mentions) || !Array.isArray(mentions['parse'])) return
  for (const kind of ['roles', 'users']) {
    const named = mentions[kind]
    if (mentions['parse'].includes(kind) && Array.isArray(named) && named.length > 0)
      at.field('parse').add('exclusive', { field: kind })
  }
}

/** Messages of version 2 consist of components. */
function checkVersion2(
  message: Readonly<Record<string, unknown>>,
  operation: 'create' | 'edit',
  at: MessagePlace,
): void {
  const { content, embeds, poll, components } = message
  const legacy = { content, poll, embeds: Array.isArray(embeds) && embeds.length === 0 ? undefined : embeds }
  for (const [name, value] of Object.entries(legacy)) {
    if (value !== undefined && value !== null) at.field(name).add('not_with_components_v2')
  }
  const place = at.field('components')
  if (operation === 'create' && (!Array.isArray(components) || components.length === 0)) place.add('required')
  if (at.state.components > MAX_COMPONENTS)
    place.add('too_many', { max: MAX_COMPONENTS, actual: at.state.components })
  if (at.state.text > MAX_TEXT) place.add('too_large', { max: MAX_TEXT, actual: at.state.text })
}

function isEmpty({
  content,
  embeds,
  components,
  files,
  attachments,
  poll,
}: Readonly<Record<string, unknown>>): boolean {
  return [content, embeds, components, files, attachments].every(isNothing) && !isRecord(poll)
}

interface Attached extends Required<Pick<ValidateMessageOptions, 'operation'>> {
  /** Names of the files, which a description may replace. */
  readonly names: string[]
  readonly at: MessagePlace
}

/** Snowflakes of attachments are much larger than an index. */
const MAX_INDEX = 10

/** Every description of a new file needs that file. An edit may name earlier ones. */
function checkAttachments(attachments: unknown, { names, operation, at }: Attached): void {
  if (!Array.isArray(attachments)) return
  const seen = new Map<string, number>()
  for (const [index, each] of attachments.entries()) {
    const key = isRecord(each) ? keyOf(each['id']) : undefined
    if (!isRecord(each) || key === undefined) continue
    const place = at.element(index).field('id')
    const first = seen.get(key)
    if (first === undefined) seen.set(key, index)
    else place.add('duplicate', { first }, { first: `index ${first}` })
    const isNew = key.length <= MAX_INDEX && Number(key) < names.length
    if (isNew && typeof each['filename'] === 'string') names[Number(key)] = each['filename']
    if (!isNew && (operation === 'create' || key.length <= MAX_INDEX))
      place.add('missing_file', { index: key })
  }
}

/** Every `attachment://` of a new message names a file of it. */
function checkReferences(names: readonly string[], { state }: MessagePlace): void {
  for (const { name, at } of state.references) if (!names.includes(name)) at.add('unknown_file')
}

const keyOf = (id: unknown): string | undefined =>
  typeof id === 'string' || typeof id === 'number' ? String(id) : undefined

/** Checks names, content and size of the files, and returns their names. @param max bytes of a file. */
function checkFiles(files: unknown, at: MessagePlace, max = Infinity): string[] {
  if (files === undefined || files === null) return []
  if (!Array.isArray(files)) {
    at.add('wrong_type', { expected: 'a list' })
    return []
  }
  const given: readonly unknown[] = files
  if (given.length > MAX_FILES) at.add('too_many', { max: MAX_FILES, actual: given.length })
  return given.slice(0, 2 * MAX_FILES).map((file, index) => {
    const place = at.element(index)
    if (!checkObject(file, FILE, place)) return ''
    const { name, data } = file
    const size = data === undefined ? 0 : sizeOfFile(data)
    if (size === undefined)
      place.field('data').add('wrong_type', { expected: 'a Uint8Array, an ArrayBuffer, a Blob or a string' })
    else if (size > max) place.field('data').add('out_of_range', { min: 0, max: `${max} bytes` })
    return typeof name === 'string' ? name : ''
  })
}
