/** Folders that one run of the tests makes once, for all its files: packed packages and built pages. */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Variable with the folder of a run, for all its processes. */
const RUN_FOLDER = 'FOYER_TEST_RUN_FOLDER'

/** Makes the folder of a run. Returns a function that deletes it. */
export function makeRunFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-test-run-'))
  process.env[RUN_FOLDER] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Returns the folder of a name. The first files that need it make it, each on its own; one of the results is kept. */
export function oncePerRun(name: string, make: (folder: string) => void): string {
  const made = join(runFolder(), name)
  if (existsSync(made)) return made
  const folder = mkdtempSync(`${made}-`)
  make(folder)
  return keepOne(folder, made)
}

/** Outside of a run of the tests, as in a script: a folder of this process. */
function runFolder(): string {
  if (process.env[RUN_FOLDER] === undefined) process.once('exit', makeRunFolder())
  return process.env[RUN_FOLDER] ?? ''
}

/** Renaming is atomic, and fails if another process was faster. */
function keepOne(folder: string, made: string): string {
  try {
    renameSync(folder, made)
  } catch (error) {
    if (!existsSync(made)) throw error
    rmSync(folder, { recursive: true, force: true })
  }
  return made
}
