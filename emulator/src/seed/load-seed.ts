/** Loads the seed of the options: an object, a JSON file, or the defaults. */
import { EmulatorError } from '../foundation/emulator-error.js'
import { readText } from '../foundation/read-text.js'
import { parseSeed } from './parse-seed.js'
import type { Seed, SeedInput } from './seed.js'

/** @throws EmulatorError `invalid_seed` */
export function loadSeed(seed: SeedInput | string | undefined): Seed {
  return parseSeed(typeof seed === 'string' ? readJson(seed) : (seed ?? {}))
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readText(file))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EmulatorError('invalid_seed', `The seed file ${file} cannot be read: ${reason}`, { cause })
  }
}
