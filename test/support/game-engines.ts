/** The game engines of npm, in `test/support/game-engines`: a global setup of the lanes that play in them, and the tests' side of it. */
import process from 'node:process'
import { installPackages } from './install-packages'
import { link } from './packed-package'

/** Folder of the installed engines, from the root of the repository. */
export const ENGINE_MODULES = 'test/support/game-engines/node_modules'
/** Variable with the reason for which they are missing, for all processes of a run. */
const MISSING = 'FOYER_TEST_GAME_ENGINES_MISSING'

export default function setup(): void {
  const reason = installPackages('test/support/game-engines')
  if (reason === undefined) return
  process.env[MISSING] = reason
  console.warn(`Tests with game engines cannot run: ${reason}`)
}

/** Skips a test that plays in an engine if the engines are missing, with the reason. On CI it fails. */
export function requireGameEngines(context: { skip(note?: string): unknown }): void {
  const reason = process.env[MISSING]
  if (reason === undefined) return
  if (process.env['CI']) throw new Error(reason)
  context.skip(reason)
}

/** Makes an engine visible to a project. */
export const linkEngine = (name: string, project: string): void => link(name, project, ENGINE_MODULES)
