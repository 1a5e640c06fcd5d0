/** Synchronous SHA-256 of a string; the platform hashes asynchronously only. */
// The class instead of the ready-made function: the latter adds 300 bytes of argument checks that are not needed here.
import { _SHA256 as Sha256 } from '@noble/hashes/sha2.js'

export function sha256(text: string): Uint8Array {
  return new Sha256().update(new TextEncoder().encode(text)).digest()
}
