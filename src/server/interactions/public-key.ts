/** Public key and hex decoding. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { askVariable } from '../keys/ask-variable'

/** Key type of `crypto.subtle`, independent of the DOM types. */
type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** The application's public key as 64 hex digits, or an imported Ed25519 key. */
export type PublicKey = string | ImportedKey

const REMEDY = "Copy it from the application's settings"

/** Prime of the field (RFC 8032 section 5.1). */
const PRIME = 2n ** 255n - 19n
const SIGN_BIT = 1n << 255n
const ORDER_8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n
/** `y` of the points whose order is 1, 2, 4 or 8: with such a key anybody can sign. */
const SMALL_ORDER: ReadonlySet<bigint> = new Set([0n, 1n, PRIME - 1n, ORDER_8, PRIME - ORDER_8])

/**
 * @throws ConfigurationError `invalid_argument` unless the key is 64 hex digits or an Ed25519 verification key, and for a point of small
 * order.
 */
export function requirePublicKey(key: unknown): PublicKey {
  const bytes = typeof key === 'string' && key.length === 64 && bytesOfHex(key)
  if (bytes) {
    if (hasSmallOrder(bytes))
      throw new ConfigurationError('invalid_argument', 'publicKey: a point of small order', {
        remedy: REMEDY,
      })
    return key
  }
  if (key instanceof CryptoKey && key.algorithm.name === 'Ed25519' && key.usages.includes('verify'))
    return key
  throw new ConfigurationError('invalid_argument', 'publicKey: 64 hex digits', {
    remedy: `${REMEDY}; ${askVariable('FOYER_PUBLIC_KEY')}`,
  })
}

/** Rejects if the runtime lacks Ed25519, or the bytes are no valid key. */
export async function importPublicKey(key: PublicKey): Promise<ImportedKey> {
  if (typeof key === 'string')
    return crypto.subtle.importKey('raw', bytesOfHex(key) ?? new Uint8Array(), 'Ed25519', false, ['verify'])
  if (key.extractable) requirePublicKey(hexOf(new Uint8Array(await crypto.subtle.exportKey('raw', key))))
  return key
}

/** Also finds the encodings that are not canonical: `y` above the prime, and both signs of `x`. */
function hasSmallOrder(key: Uint8Array): boolean {
  const littleEndian = key.reduce((sum, byte, index) => sum | (BigInt(byte) << BigInt(8 * index)), 0n)
  return SMALL_ORDER.has((littleEndian % SIGN_BIT) % PRIME)
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

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
