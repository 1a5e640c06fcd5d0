/** Starts the emulator that a command of the command line asked for. */
import { createEmulator } from '../emulator.js'
import type { Emulator } from '../handle.js'
import type { ServeOptions } from './arguments.js'

export function serve({ seed, state, interactionsUrl, activityUrl, ...options }: ServeOptions): Promise<Emulator> {
  return createEmulator({
    ...options,
    ...(seed === undefined ? {} : { seed }),
    ...(state === undefined ? {} : { state }),
    ...(interactionsUrl === undefined ? {} : { interactionsUrl }),
    ...(activityUrl === undefined ? {} : { activityUrl }),
  })
}
