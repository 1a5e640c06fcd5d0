/** Checks the descriptions of a message's files: each belongs to a file that was sent, or to one that an edit keeps. */
import { isObject, isSnowflake } from '../foundation/type-guards.js'
import { NOT_SNOWFLAKE, REQUIRED, type ValidationContext } from '../api/validation-context.js'
import { checkFlags, checkList, checkObject, checkText, invalid } from './fields.js'

const NOT_FOUND = invalid(
  'ATTACHMENT_NOT_FOUND',
  'Attachment data not found',
  'must be the index of a file that was sent, or an attachment of the message',
)
const REPEATED_ID = invalid('ATTACHMENT_ID_DUPLICATED', 'Attachment id cannot be duplicated', 'must differ from the other ids')
const NOT_NUMBER = invalid('NUMBER_TYPE_COERCE', 'Value is not float.', 'must be a number')

/** Files that a message has, or gets. */
export interface KnownFiles {
  /** Names of the files that were sent, by their index. */
  files: ReadonlyMap<number, string>
  /** Of an edit: attachments and flags of the message so far. */
  edits?: undefined | { attachments: readonly { id: string; filename: string }[]; flags: number }
}

export function checkAttachments(attachments: unknown, at: ValidationContext, known: KnownFiles): void {
  const seen = new Set<string>()
  checkList(attachments, { at, most: 10 }, (item, spot) =>
    checkObject(item, spot, (fields) => {
      const { id, filename, title, description, duration_secs: seconds, waveform } = fields
      if (filename !== undefined) checkText(filename, spot.at('filename'), { least: 1, most: 255 })
      if (title !== undefined && title !== null) checkText(title, spot.at('title'), { most: 1024 })
      if (description !== undefined && description !== null) checkText(description, spot.at('description'), { most: 1024 })
      if (waveform !== undefined) checkText(waveform, spot.at('waveform'), { most: 4096 })
      if (seconds !== undefined && !Number.isFinite(seconds)) spot.at('duration_secs').addError(NOT_NUMBER)
      checkFlags(fields, ['is_spoiler'], spot)
      checkId(id, spot.at('id'), { known, seen })
    }),
  )
}

function checkId(id: unknown, at: ValidationContext, { known, seen }: { known: KnownFiles; seen: Set<string> }): void {
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
export function attachedNames(attachments: unknown, { files, edits }: KnownFiles): Set<string> {
  const names = new Set<string>([...files.values(), ...(edits?.attachments ?? []).map(({ filename }) => filename)])
  for (const item of Array.isArray(attachments) ? attachments : []) {
    if (isObject(item) && typeof item['filename'] === 'string' && files.has(Number(item['id']))) names.add(item['filename'])
  }
  return names
}
