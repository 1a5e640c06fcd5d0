/** Who a player is elsewhere: a token of another service that proves it. Pure. */
import { isText } from '../../foundation/encoding'
import { ConfigurationError } from '../../foundation/errors'
import { reveal, type Secret } from '../../foundation/secret'
import type { Fields } from './account-request'

/** The proof of an account with another service (supplement A.4.6). */
export interface ExternalAccount {
  /** Which kind of proof, in the service's word for it: `OIDC`, the name of a platform, or for an account that the game's backend made `SERVICE_BOT_ISSUED_ACCESS_TOKEN`. */
  externalAuthType: string
  /** The proof: an ID token of that service, or the access token of a provisional account. */
  externalAuthToken: Secret | string
}

const TYPE = /^[A-Z][A-Z0-9_]{0,99}$/
/** Of whatever form. */
const TOKEN = /^[^]{1,10240}$/

/**
 * The fields that carry it.
 * @throws ConfigurationError `invalid_argument`.
 */
export function externalFields(account: ExternalAccount): Fields {
  const { externalAuthType: type, externalAuthToken } = { ...account }
  const token = reveal(externalAuthToken)
  if (!isText(type, TYPE)) throw new ConfigurationError('invalid_argument', 'externalAuthType')
  if (!isText(token, TOKEN)) throw new ConfigurationError('invalid_argument', 'externalAuthToken')
  return { external_auth_type: type, external_auth_token: token }
}
