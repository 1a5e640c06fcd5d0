/** Keeps a state file to one emulator at a time: each would change rows behind the back of the other. */
import Database from 'libsql'
import { EmulatorError } from '../foundation/error.js'

/** How long an emulator that is still shutting down may keep the file, in milliseconds. */
const patience = 2000

/**
 * Takes the lock of a state file and gives its release; it ends with the process too. It is held in an empty file beside it, since the
 * library keeps a database open until its statements are collected.
 * @throws EmulatorError `state_in_use`
 */
export function lockFile(file: string): () => void {
  const lock = new Database(`${file}-lock`, { timeout: patience })
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
