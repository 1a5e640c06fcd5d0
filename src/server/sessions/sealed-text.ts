/** Seals texts with a list of keys (JWE, `dir` and `A256GCM`): the first key seals, every key opens. */
import { CompactEncrypt, compactDecrypt } from 'jose'
import { base64url, sha256 } from '../../shared/foundation/crypto'
import { ConfigurationError } from '../../shared/foundation/errors'
import { isText } from '../../shared/foundation/untrusted-values'
import { reveal, type Secret } from '../../shared/foundation/secret'
import type { StoreKey } from '../keys/store-key'

/** Seals and opens texts. The place of a text is part of what is sealed: a text never opens in the place of another one. */
export interface Seal {
  seal(place: StoreKey, text: string): Promise<string>
  /** Undefined for a text that no key opens, or of another place. */
  open(place: StoreKey, sealed: string): Promise<string | undefined>
}

const KEY = /^[^]{32,}$/
const REMEDY =
  'Pass a list of texts of 32 or more random characters, the newest first: openssl rand -base64 32'

/** @throws ConfigurationError `invalid_argument`. */
export function createSeal(given: readonly (Secret | string)[]): Seal {
  if (!Array.isArray(given) || given.length === 0)
    throw new ConfigurationError('invalid_argument', 'keys', { remedy: REMEDY })
  const keys = given.map((each: Secret | string) => {
    const text = reveal(each)
    if (!isText(text, KEY)) throw new ConfigurationError('invalid_argument', 'keys', { remedy: REMEDY })
    const bytes = sha256(`foyer session key ${text}`)
    return { bytes, kid: base64url(sha256(`foyer session key id ${text}`)).slice(0, 8) }
  })
  const [newest] = keys
  return {
    async seal(place, text) {
      const header = { alg: 'dir', enc: 'A256GCM', kid: newest?.kid ?? '', typ: place }
      return new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader(header)
        .encrypt(newest?.bytes ?? new Uint8Array())
    },
    async open(place, sealed) {
      const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
      try {
        const find = ({ kid }: { kid?: string | undefined }) =>
          keys.find((key) => key.kid === kid)?.bytes ?? new Uint8Array()
        const { plaintext, protectedHeader } = await compactDecrypt(sealed, find, options)
        return protectedHeader.typ === place ? new TextDecoder().decode(plaintext) : undefined
      } catch {
        return undefined
      }
    },
  }
}
