/** Provisional accounts, for players without an account: requests and responses (docs/interface/accounts.md#provisional-accounts). Pure. */
import type { JsonResponse } from '../../http/http-client'
import type { ServiceConfig } from '../../service/service-config'
import type { AccountRequest, Fields } from './send-account-request'
import { type ExternalAccount, externalFields } from './external-account'

/** Scopes of a provisional account. The service always sends an ID token, so `openid` is included. */
export const PROVISIONAL_SCOPES = 'openid sdk.social_layer'

/** Dependencies of these requests. */
export interface AccountContext {
  service: ServiceConfig
  clientId: string
  signal?: AbortSignal | undefined
}

/** Requests a token for the account of an external identity; the service creates the account if there is none. */
export function provisionalTokenRequest(account: ExternalAccount, context: AccountContext): AccountRequest {
  return partnerRequest(
    '/partner-sdk/token',
    { client_id: context.clientId, ...externalFields(account) },
    context,
  )
}

/** Removes an external identity from a full account, so that its next token is for an account of its own. */
export function unmergeRequest(account: ExternalAccount, context: AccountContext): AccountRequest {
  return partnerRequest(
    '/partner-sdk/provisional-accounts/unmerge',
    { client_id: context.clientId, ...externalFields(account) },
    context,
  )
}

/** These endpoints send null or an empty refresh token instead of leaving the field out as in RFC 6749. */
export function withoutEmptyRefresh({ body, ...answer }: JsonResponse): JsonResponse {
  const { access_token, token_type, expires_in, refresh_token, scope, id_token } = body
  return {
    ...answer,
    body: {
      access_token,
      token_type,
      expires_in,
      refresh_token: refresh_token || undefined,
      scope,
      id_token,
    },
  }
}

/** A request to an endpoint that accepts JSON. Without a client secret, since pages are public clients. */
export function partnerRequest(
  path: string,
  fields: Fields,
  { service, signal }: Omit<AccountContext, 'clientId'>,
): AccountRequest {
  return { url: service.baseUrl + path, route: `POST ${path}`, as: 'json', fields, signal }
}
