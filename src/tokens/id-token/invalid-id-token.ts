/** Error for an invalid ID token: names the failed part and its required content, and never quotes the token. */
import { type ErrorDetails, ProtocolError } from '../../foundation/errors'

/** @param path the claim (`aud`), the header field (`header.alg`) or the part of the token (`payload`). */
export function invalidIdToken(path: string, expected: string, details: Pick<ErrorDetails, 'remedy'> = {}): ProtocolError {
  return new ProtocolError('invalid_id_token', path, { path, expected, ...details })
}
