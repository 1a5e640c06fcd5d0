/** Reads a text that somebody has pasted as a token. It checks nothing. Pure. */
import { decodePart, decodeToken, type DecodedToken } from '../../exchanges/decode-token'

export type Pasted =
  | { readonly kind: 'nothing' }
  /** `reason` is a sentence. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** Only the header of an encrypted token can be read. */
  | { readonly kind: 'encrypted'; readonly header: DecodedToken['header'] }
  | ({ readonly kind: 'signed'; readonly token: string } & DecodedToken)

/** Maximum length of a token, in characters. */
export const MAX_TOKEN = 50_000

const NO_TOKEN =
  'This is no JSON Web Token, which has three parts with points between them. An access token may be a text that only its service can read.'
const NO_JSON = 'This has the parts of a JSON Web Token, but its header or its claims are no JSON object.'
const TOO_LONG = `This is longer than ${MAX_TOKEN.toLocaleString('en-GB')} characters, so it was not read.`

/** Takes a token as it is found in headers, logs and code too: with `Bearer`, with quotes, in several lines. */
export function readPasted(text: string): Pasted {
  if (text.length > MAX_TOKEN) return { kind: 'unreadable', reason: TOO_LONG }
  const token = text
    .trim()
    .replace(/^Bearer\s/i, '')
    .replaceAll(/[\s"'`]/g, '')
  if (token === '') return { kind: 'nothing' }
  const parts = token.split('.')
  const header = decodePart(parts[0] ?? '')
  if (parts.length === 5 && header) return { kind: 'encrypted', header }
  if (parts.length !== 3) return { kind: 'unreadable', reason: NO_TOKEN }
  const decoded = decodeToken(token)
  return decoded ? { kind: 'signed', token, ...decoded } : { kind: 'unreadable', reason: NO_JSON }
}
