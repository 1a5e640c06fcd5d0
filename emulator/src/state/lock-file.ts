/** Lock of a state file: two emulators would overwrite each other's rows. */
import Database from 'libsql'
import { EmulatorError } from '../foundation/emulator-error.js'
import { makePrivate } from '../foundation/make-private.js'

/** Milliseconds to wait for an emulator that is shutting down. */
const PATIENCE = 2000

/**
 * Acquires the lock of a state file and returns its release; it also ends with the process. It is held in an empty file beside it, since
 * the library keeps a database open until its statements are garbage-collected.
 * @throws EmulatorError `state_in_use`
 */
export function lockFile(file: string): () => void {
  makePrivate(`${file}-lock`)
  const lock = new Database(`${file}-lock`, { timeout: PATIENCE })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    if (!(cause instanceof Error) || Reflect.get(cause, 'code') !== 'SQLITE_BUSY') throw cause
    throw new EmulatorError(
      'state_in_use',
      `The state file ${file} is in use by another emulator; stop that one, or choose another file.`,
      {
        cause,
      },
    )
  }
  return () => {
    if (lock.open) lock.exec('ROLLBACK')
    lock.close()
  }
}
