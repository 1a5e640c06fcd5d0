/** Reads text files as editors on Windows write them too. */
import { readFileSync } from 'node:fs'

/** Returns a file's text without the byte order mark. @throws the error of the file system. */
export function readText(file: string): string {
  return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
}
