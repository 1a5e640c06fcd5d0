/** Files with secrets: only the owner can read them. */
import { chmodSync, closeSync, openSync } from 'node:fs'

const OWNER_ONLY = 0o600

/** Creates a file that does not exist yet, and takes an existing one from everybody else. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', OWNER_ONLY))
  chmodSync(file, OWNER_ONLY)
}
