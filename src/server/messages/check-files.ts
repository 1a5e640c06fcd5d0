/** Checks the files of a message: names, content and size. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { RuleReader } from './rule-reader'
import { sizeOfFile } from './file-data'
import type { Place } from './message-issue-code'
import { FILE } from './message-shapes'

const MAX_FILES = 10

export interface CheckFilesContext {
  readonly reader: RuleReader
  readonly place: Place
  /** Bytes; undefined if unknown. */
  readonly attachmentSizeLimit: number | undefined
}

/** Returns the names of the files. */
export function checkFiles(
  files: unknown,
  { reader, place, attachmentSizeLimit: max = Infinity }: CheckFilesContext,
): string[] {
  if (files === undefined || files === null) return []
  if (!Array.isArray(files)) {
    place.add('wrong_type', { expected: 'a list' })
    return []
  }
  const list: readonly unknown[] = files
  if (list.length > MAX_FILES) place.add('too_many', { max: MAX_FILES, actual: list.length })
  return list.slice(0, 2 * MAX_FILES).map((file, index) => {
    const at = place.element(index)
    if (!reader.checkFields(file, FILE, at)) return ''
    const { name, data } = file
    const size = data === undefined ? 0 : sizeOfFile(data)
    if (size === undefined)
      at.field('data').add('wrong_type', { expected: 'a Uint8Array, an ArrayBuffer, a Blob or a string' })
    else if (size > max) at.field('data').add('out_of_range', { min: 0, max: `${max} bytes` })
    return isRecord(file) && typeof name === 'string' ? name : ''
  })
}
