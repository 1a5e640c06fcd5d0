/** Validates messages before sending (docs/interface/messages.md). */
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { Issue } from '../../shared/foundation/errors'
import type { RuleReader } from './rule-reader'
import { createReader } from './create-reader'
import { LEGACY_TOP, TOP } from './component-shapes'
import { checkFiles } from './check-files'
import { CheckState, collectIssues, type Place } from './message-issue-code'
import { MESSAGE } from './message-shapes'

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
  return collectIssues(new CheckState({ isModal: false }), (place) => {
    checkMessage(typeof message === 'string' ? { content: message } : message, { ...options }, place)
  })
}

function checkMessage(
  message: unknown,
  { operation = 'create', attachmentSizeLimit }: ValidateMessageOptions,
  place: Place,
): void {
  const reader = createReader()
  const isV2 = isRecord(message) && usesComponentsV2(message)
  const components = {
    is: 'list',
    of: { is: 'component', of: isV2 ? TOP : LEGACY_TOP },
    max: isV2 ? MAX_COMPONENTS : MAX_ROWS,
  } as const
  const shape = {
    ...MESSAGE,
    components: { ...components, nullable: true },
    ephemeral: { is: 'flag' },
    files: { is: 'ignored' },
  } as const
  if (!reader.checkFields(message, shape, place)) return
  checkFlags(message['flags'], place.field('flags'))
  checkEmbeds(message['embeds'], place.field('embeds'))
  checkMentions(message['allowed_mentions'], place.field('allowed_mentions'))
  checkAttachments(message, { reader, place, operation, attachmentSizeLimit })
  if (isV2) checkVersion2(message, operation, place)
  else if (operation === 'create' && isEmpty(message)) place.add('empty_message')
}

/** True if the flag is set, or a component exists in version 2 only. */
export function usesComponentsV2({ flags, components }: Readonly<Record<string, unknown>>): boolean {
  if (typeof flags === 'number' && (flags & COMPONENTS_V2) !== 0) return true
  return (
    Array.isArray(components) &&
    components.some((each) => isRecord(each) && each['type'] !== 1 && TOP.includes(Number(each['type'])))
  )
}

function checkFlags(flags: unknown, place: Place): void {
  if (typeof flags === 'number' && Number.isInteger(flags) && (flags & ~SETTABLE) !== 0)
    place.add('unknown_flags', { allowed: [4, EPHEMERAL, 4096, 8192, COMPONENTS_V2] })
}

/** All texts count together, and an embed without any part shows nothing. */
function checkEmbeds(embeds: unknown, place: Place): void {
  if (!Array.isArray(embeds)) return
  const { embedText } = place.check
  if (embedText > MAX_EMBED_TEXT) place.add('too_large', { max: MAX_EMBED_TEXT, actual: embedText })
  for (const [index, embed] of embeds.entries()) {
    if (!isRecord(embed)) continue
    const isBlank = EMBED_PARTS.every((name) => isNothing(embed[name]))
    if (isBlank) place.element(index).field('description').add('empty_embed')
  }
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

function checkMentions(mentions: unknown, place: Place): void {
  if (!isRecord(mentions) || !Array.isArray(mentions['parse'])) return
  for (const kind of ['roles', 'users']) {
    const named = mentions[kind]
    if (mentions['parse'].includes(kind) && Array.isArray(named) && named.length > 0)
      place.field('parse').add('exclusive', { field: kind })
  }
}

/** Messages of version 2 consist of components. */
function checkVersion2(
  message: Readonly<Record<string, unknown>>,
  operation: 'create' | 'edit',
  place: Place,
): void {
  const { content, embeds, poll, components } = message
  const legacy = { content, poll, embeds: Array.isArray(embeds) && embeds.length === 0 ? undefined : embeds }
  for (const [name, value] of Object.entries(legacy)) {
    if (value !== undefined && value !== null) place.field(name).add('not_with_components_v2')
  }
  const at = place.field('components')
  if (operation === 'create' && (!Array.isArray(components) || components.length === 0)) at.add('required')
  if (place.check.components > MAX_COMPONENTS)
    at.add('too_many', { max: MAX_COMPONENTS, actual: place.check.components })
  if (place.check.text > MAX_TEXT) at.add('too_large', { max: MAX_TEXT, actual: place.check.text })
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
  readonly reader: RuleReader
  readonly place: Place
  readonly attachmentSizeLimit: number | undefined
}

/** Snowflakes of attachments are much larger than an index. */
const MAX_INDEX = 10

/** Every description of a new file needs that file, and every `attachment://` a file of that name. An edit may name earlier ones. */
function checkAttachments(
  { files, attachments }: Readonly<Record<string, unknown>>,
  { place, operation, ...rest }: Attached,
): void {
  const names = checkFiles(files, { ...rest, place: place.field('files') })
  const list: readonly unknown[] = Array.isArray(attachments) ? attachments : []
  const seen = new Map<string, number>()
  for (const [index, each] of list.entries()) {
    const key = isRecord(each) ? keyOf(each['id']) : undefined
    if (!isRecord(each) || key === undefined) continue
    const at = place.field('attachments').element(index).field('id')
    const first = seen.get(key)
    if (first === undefined) seen.set(key, index)
    else at.add('duplicate', { first: `index ${first}` })
    const isNew = key.length <= MAX_INDEX && Number(key) < names.length
    if (isNew && typeof each['filename'] === 'string') names[Number(key)] = each['filename']
    if (!isNew && (operation === 'create' || key.length <= MAX_INDEX)) at.add('missing_file', { index: key })
  }
  if (operation === 'edit') return
  for (const { name, place: at } of place.check.references) if (!names.includes(name)) at.add('unknown_file')
}

const keyOf = (id: unknown): string | undefined =>
  typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
