/** Public key and hex decoding. */
import { ConfigurationError } from '../foundation/errors'

/** Key type of `crypto.subtle`, independent of the DOM types. */
type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** The application's public key as 64 hex digits, or an imported Ed25519 key. */
export type PublicKey = string | ImportedKey

/** @throws ConfigurationError `invalid_argument` unless the key is 64 hex digits or an Ed25519 verification key. */
export function requirePublicKey(key: unknown): PublicKey {
  if (typeof key === 'string' && key.length === 64 && bytesOfHex(key)) return key
  if (key instanceof CryptoKey && key.algorithm.name === 'Ed25519' && key.usages.includes('verify')) return key
  throw new ConfigurationError('invalid_argument', 'publicKey: 64 hex digits', {
    remedy: "Copy it from the application's settings; is the environment variable set?",
  })
}

/** Rejects if the runtime lacks Ed25519 or the bytes are no valid key. */
export async function importPublicKey(key: PublicKey): Promise<ImportedKey> {
  if (typeof key !== 'string') return key
  const bytes = bytesOfHex(key) ?? new Uint8Array()
  return crypto.subtle.importKey('raw', bytes, { name: 'Ed25519' }, false, ['verify'])
}

/** Decodes an even number of hex digits, in both cases; undefined for other characters. */
export function bytesOfHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\da-f]*$/i.test(text)) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = (digit(text, 2 * i) << 4) | digit(text, 2 * i + 1)
  return bytes
}

/** Character codes: `0` is 48, `A` 65, `a` 97. */
function digit(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 58 ? code - 48 : (code & 15) + 9
}
