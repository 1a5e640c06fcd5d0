/** Parses an ID token (RFC 7515 section 3.1), and names what is wrong with one. Only the plain signed form is accepted. */
import { type ErrorDetails, ProtocolError } from '../foundation/errors'
import { isRecord } from '../foundation/untrusted-values'

/** Maximum nesting of the JSON: storing a session or sending it to a window walks through every claim. */
const MAX_DEPTH = 16

/** Accepted signature algorithms. Asymmetric only: with HS256 a public key would pass for a secret (RFC 8725 section 2.1). */
const ALGORITHMS: readonly string[] = ['RS256', 'ES256']

/** Maximum length in characters: far above any real token, and short enough to parse without a pause. */
const MAX_LENGTH = 16 * 1024

/** Unsupported fields that would change how the token must be processed (RFC 7515 section 4.1.11, RFC 7797, RFC 7516). */
const UNSUPPORTED_FIELDS = ['crit', 'b64', 'enc', 'zip']

/** The two header fields that select a key. `jwk`, `jku`, `x5u` and `x5c` are ignored: a token must not supply its own key. */
export interface IdTokenHeader {
  readonly alg: string
  readonly kid?: string
}

/** A well-formed ID token. Its payload is not trusted yet. */
export interface ParsedIdToken {
  readonly header: IdTokenHeader
  readonly payload: Uint8Array
  /** The signed bytes (RFC 7515 section 5.2). */
  readonly signed: Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
}

/**
 * Splits a token into its parts and checks its header.
 * @throws ProtocolError `invalid_id_token`.
 */
export function parseIdToken(idToken: string): ParsedIdToken {
  if (idToken.length > MAX_LENGTH) throw invalidIdToken('id_token', 'shorter')
  const parts = idToken.split('.')
  if (parts.length !== 3) throw invalidIdToken('id_token', 'three parts')
  const [header, payload] = [decodePart('header', parts[0]), decodePart('payload', parts[1])]
  const signature = decodePart('signature', parts[2])
  const signed = new TextEncoder().encode(idToken.slice(0, idToken.lastIndexOf('.')))
  return { header: readHeader(parseJson('header', header)), payload, signed, signature }
}

function decodePart(name: string, text: string | undefined): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64url(text)
  if (!bytes) throw invalidIdToken(name, 'base64url')
  return bytes
}

/** Parses a part that must hold a JSON object in UTF-8. The parser's own error is dropped, since it quotes the token. */
export function parseJson(part: string, bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    // Reported below, like JSON that is not an object.
  }
  if (!isRecord(value)) throw invalidIdToken(part, 'a JSON object')
  if (!isShallow(value, MAX_DEPTH)) throw invalidIdToken(part, 'less deep')
  return value
}

function readHeader(header: Readonly<Record<string, unknown>>): IdTokenHeader {
  const { alg, kid, typ } = header
  const unsupported = UNSUPPORTED_FIELDS.find((name) => header[name] !== undefined)
  if (unsupported) throw invalidIdToken(`header.${unsupported}`, 'absent')
  if (typeof alg !== 'string' || !ALGORITHMS.includes(alg))
    throw invalidIdToken('header.alg', ALGORITHMS.join(' or '))
  if (typ !== undefined && !isJwtType(typ)) throw invalidIdToken('header.typ', 'JWT')
  if (kid === undefined) return { alg }
  if (typeof kid !== 'string') throw invalidIdToken('header.kid', 'a string')
  return { alg, kid }
}

/** RFC 8725 section 3.11: a token for another purpose has another type (`at+jwt`, `logout+jwt`). */
function isJwtType(typ: unknown): boolean {
  return typeof typ === 'string' && typ.toUpperCase() === 'JWT'
}

/**
 * Decodes strict base64url (RFC 7515 section 2): one encoding for each value, so that no two tokens or keys are equal in meaning. Undefined
 * for padding, white space, other alphabets and stray last bits.
 */
export function decodeBase64url(text: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const plain = text.replace(/-/g, '+').replace(/_/g, '/')
    const binary = atob(plain)
    // `atob` is lenient; encoding what it returned again detects any deviation.
    const again = btoa(binary)
    if (/[+/=]/.test(text) || again.replace('=', '').replace('=', '') !== plain) return undefined
    const bytes = new Uint8Array(binary.length)
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
    return bytes
  } catch {
    return undefined
  }
}

/** Never quotes the token. @param path the claim (`aud`), the header field (`header.alg`) or the part of the token (`payload`). */
export function invalidIdToken(
  path: string,
  expected: string,
  details: Pick<ErrorDetails, 'remedy'> = {},
): ProtocolError {
  return new ProtocolError('invalid_id_token', path, { path, expected, ...details })
}

/** True if objects and lists are nested at most `levels` deep. Not recursive, so that hostile input cannot overflow the stack. */
function isShallow(value: unknown, levels: number): boolean {
  let nested: unknown[] = [value]
  for (let level = 0; nested.length > 0; level++) {
    nested = nested
      .filter((item) => typeof item === 'object' && item !== null)
      .flatMap((item) => Object.values(Object(item)))
    if (level >= levels && nested.length > 0) return false
  }
  return true
}
