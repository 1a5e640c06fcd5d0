/** How a bad ID token is reported: which part failed and what should have stood there, never what did. */
import { ProtocolError } from '../../foundation/errors'

/** @param path the claim (`aud`), the header field (`header.alg`) or the part of the token (`payload`). */
export function invalidIdToken(path: string, expected: string): ProtocolError {
  return new ProtocolError('invalid_id_token', path, { path, expected })
}
