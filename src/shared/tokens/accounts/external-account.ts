/** Identity at another service, proven by a token of that service. Pure. */
import { isText, ownFields } from '../../foundation/untrusted-values'
import { ConfigurationError } from '../../foundation/errors'
import { reveal, type Secret } from '../../foundation/secret'
import type { Fields } from './send-account-request'

/** Proof of an account at another service (docs/interface/accounts.md#external-proofs). */
export interface ExternalAccount {
  /**
   * Type of the proof: `OIDC`, the name of a platform, or `SERVICE_BOT_ISSUED_ACCESS_TOKEN` for an account created by the game's backend.
   */
  externalAuthType: string
  /** The proof: an ID token of that service, or the access token of a provisional account. */
  externalAuthToken: Secret | string
}

const TYPE = /^[A-Z][A-Z0-9_]{0,99}$/
/** In any format. */
const TOKEN = /^[^]{1,10240}$/

/**
 * The request fields for an external account.
 * @throws ConfigurationError `invalid_argument`.
 */
export function externalFields(account: ExternalAccount): Fields {
  const { externalAuthType: type, externalAuthToken } = ownFields({ ...account })
  const token = reveal(externalAuthToken)
  if (!isText(type, TYPE)) throw new ConfigurationError('invalid_argument', 'externalAuthType')
  if (!isText(token, TOKEN)) throw new ConfigurationError('invalid_argument', 'externalAuthToken')
  return { external_auth_type: type, external_auth_token: token }
}
