/** Synchronous SHA-256 of a string; the platform hashes asynchronously only. */
// The class instead of the ready-made function: the latter adds 300 bytes of argument checks that are not needed here.
import { _SHA256 as Sha256 } from '@noble/hashes/sha2.js'
import { ConfigurationError } from './errors'

/** @throws ConfigurationError `unsupported` in Jest with jsdom, which has no `TextEncoder`. */
export function sha256(text: string): Uint8Array {
  if (typeof globalThis.TextEncoder === 'undefined')
    throw new ConfigurationError('unsupported', 'TextEncoder', { remedy: 'Set globalThis.TextEncoder, or test with the environment node' })
  return new Sha256().update(new TextEncoder().encode(text)).digest()
}
