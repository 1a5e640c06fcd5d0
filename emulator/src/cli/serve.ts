/** Starts the emulator that a command of the command line asked for. */
import { readFileSync } from 'node:fs'
import { createEmulator, type Emulator } from '../emulator.js'
import { EmulatorError } from '../error.js'
import type { SeedInput } from '../seed/seed.js'
import type { ServeOptions } from './arguments.js'

export function serve({ port, seed, state }: ServeOptions): Promise<Emulator> {
  return createEmulator({ port, ...(seed === undefined ? {} : { seed: readSeed(seed) }), ...(state === undefined ? {} : { state }) })
}

/** The emulator checks the shape; here the file only has to be JSON. */
function readSeed(file: string): SeedInput {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SeedInput
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EmulatorError('invalid_seed', `The seed file ${file} cannot be read: ${reason}`, { cause })
  }
}
