/** Accounts for players who have none: what is asked for them, and what comes back (supplement A.4.6). Pure. */
import type { JsonAnswer } from '../../http/request'
import type { ServiceConfig } from '../../service/config'
import type { AccountRequest, Fields } from './account-request'
import { type ExternalAccount, externalFields } from './external-account'

/** What a provisional account's tokens are for. The service always sends an ID token with them, so one is asked for. */
export const PROVISIONAL_SCOPES = 'openid sdk.social_layer'

/** What is known when one of these is asked. */
export interface AccountContext {
  service: ServiceConfig
  clientId: string
  signal?: AbortSignal | undefined
}

/** A token for the account of an identity from elsewhere, which is made now if there is none. */
export function provisionalTokenRequest(account: ExternalAccount, party: AccountContext): AccountRequest {
  return partnerRequest('/partner-sdk/token', { client_id: party.clientId, ...externalFields(account) }, party)
}

/** Takes an identity away from a full account, so that its next token is for an account of its own. */
export function unmergeRequest(account: ExternalAccount, party: AccountContext): AccountRequest {
  return partnerRequest('/partner-sdk/provisional-accounts/unmerge', { client_id: party.clientId, ...externalFields(account) }, party)
}

/** These endpoints send no refresh token, and say so with null or an empty text; RFC 6749 would leave the field out. */
export function withoutEmptyRefresh({ body, ...answer }: JsonAnswer): JsonAnswer {
  const { access_token, token_type, expires_in, refresh_token, scope, id_token } = body
  return { ...answer, body: { access_token, token_type, expires_in, refresh_token: refresh_token || undefined, scope, id_token } }
}

/** A request of the endpoints that take JSON. No secret: a page is a public client. */
export function partnerRequest(path: string, fields: Fields, { service, signal }: Omit<AccountContext, 'clientId'>): AccountRequest {
  return { url: service.baseUrl + path, route: `POST ${path}`, as: 'json', fields, signal }
}
