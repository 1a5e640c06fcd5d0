/** Reads text files as editors on Windows write them too. */
import { chmodSync, closeSync, openSync, readFileSync } from 'node:fs'

/** Returns a file's text without the byte order mark. @throws the error of the file system. */
export function readText(file: string): string {
  return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
}

const OWNER_ONLY = 0o600

/** Creates a file that does not exist yet, and takes an existing one from everybody else. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', OWNER_ONLY))
  chmodSync(file, OWNER_ONLY)
}
