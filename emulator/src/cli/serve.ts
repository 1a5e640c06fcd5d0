/** Starts the emulator that a command of the command line asked for. */
import { createEmulator, type Emulator } from '../emulator.js'
import type { ServeOptions } from './arguments.js'

export function serve({ port, seed, state }: ServeOptions): Promise<Emulator> {
  return createEmulator({ port, ...(seed === undefined ? {} : { seed }), ...(state === undefined ? {} : { state }) })
}
