/** Checks the files of a message: names, content and size. */
import { checkObject } from '../../shared/foundation/rules'
import { sizeOfFile } from './file-data'
import type { MessagePlace } from './message-check'
import { FILE } from './message-shapes'

const MAX_FILES = 10

/** Returns the names of the files. @param max bytes of a file. */
export function checkFiles(files: unknown, at: MessagePlace, max = Infinity): string[] {
  if (files === undefined || files === null) return []
  if (!Array.isArray(files)) {
    at.add('wrong_type', { expected: 'a list' })
    return []
  }
  const list: readonly unknown[] = files
  if (list.length > MAX_FILES) at.add('too_many', { max: MAX_FILES, actual: list.length })
  return list.slice(0, 2 * MAX_FILES).map((file, index) => {
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
