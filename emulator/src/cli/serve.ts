/** Starts the emulator that a command of the command line asked for. */
import { createEmulator } from '../emulator.js'
import type { Emulator } from '../handle.js'
import type { ServeOptions } from './arguments.js'

export function serve({ port, seed, state, strictRefresh, limits }: ServeOptions): Promise<Emulator> {
  return createEmulator({ port, strictRefresh, limits, ...(seed === undefined ? {} : { seed }), ...(state === undefined ? {} : { state }) })
}
