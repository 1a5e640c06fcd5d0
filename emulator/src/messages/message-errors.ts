/** Checks a message that an application sends: a response, a follow-up or an edit. */
import { isObject } from '../foundation/type-guards.js'
import { NOT_OBJECT, REQUIRED, ValidationContext, type ValidationError } from '../api/validation-context.js'
import { attachedNames, checkAttachments, type KnownFiles } from './check-attachments.js'
import { checkEmbeds } from './check-embeds.js'
import { TOP_LEVEL, walkMessage } from './walk-message.js'
import { checkMentions, checkPoll } from './check-poll.js'
import { checkFlags, checkInteger, checkList, checkText, invalid, type Fields } from './fields.js'

export const COMPONENTS_V2 = 32_768
const SETTABLE = 4 | 64 | 4096 | 8192 | COMPONENTS_V2
const MAX_COMPONENTS = 40
const MAX_TEXT = 4000

const BAD_FLAG = invalid('MESSAGE_FLAGS_INVALID', 'Invalid message flags', 'holds a flag that an application cannot set')
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

export function messageErrors(data: unknown, { files, edits, path = [] }: MessageSituation): ValidationError[] {
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
export function isEmptyMessage({ content, embeds, components, attachments, poll }: Fields, files: number): boolean {
  const texts = typeof content === 'string' ? content.trim() !== '' : isGiven(content)
  const lists = [embeds, components, attachments].some((list) => (Array.isArray(list) ? list.length > 0 : isGiven(list)))
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
    checkList(components, { at: spot, most: isV2 ? MAX_COMPONENTS : 5 }, (item, place) => walk.check(item, place, isV2 ? TOP_LEVEL : [1]))
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
