/** The service broke its own contract. */
import { FoyerError } from './base'

export type ProtocolErrorCode = 'malformed_response' | 'response_too_large' | 'invalid_id_token' | 'missing_id_token' | 'keys_unavailable'

/** The service broke its own contract: report it. `path` says where, `expected` what should have stood there. */
export class ProtocolError extends FoyerError<ProtocolErrorCode> {
  override readonly name = 'ProtocolError'
  declare readonly path?: string
  declare readonly expected?: string
}
