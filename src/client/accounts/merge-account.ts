/** Merges a provisional account into the account that the player signs in with, as part of the code exchange. */
import {
  type AuthorizationResult,
  type ClientIdentity,
  openResult,
  type ResultBinding,
} from '../../shared/authorization/authorization-result'
import type { Clock } from '../../shared/foundation/clock'
import { ApiError, ConfigurationError } from '../../shared/foundation/errors'
import { type SendJson, endpointRoute } from '../../shared/http/http-client'
import type { ServiceConfig } from '../../shared/service/service-config'
import {
  type AccountRequest,
  requestAccount,
  type ExternalAccount,
  externalFields,
} from '../../shared/tokens/account-requests'
import { type GivenVerifier, readVerifier, type ReceivedResponse } from '../../shared/tokens/token-endpoint'

/** The external account to merge into the account of the authorization code. */
export interface MergeArgs extends ExternalAccount {
  /** Needed only if the caller made the challenge. */
  codeVerifier?: GivenVerifier | undefined
}

/** Responses by result: a second call reads the first response again. */
export type MergeResponses = WeakMap<AuthorizationResult, Promise<ReceivedResponse>>

export interface MergeContext extends ClientIdentity {
  service: ServiceConfig
  clock: Clock
  /** For results without a client id of their own. */
  applicationId: string | undefined
  send: SendJson
  responses: MergeResponses
}

interface Merging {
  result: AuthorizationResult
  args: MergeArgs
  signal: AbortSignal | undefined
}

/** A token response, and the data that the sign-in was bound to. */
export interface Merged {
  received: ReceivedResponse
  binding: ResultBinding & { clientId: string }
}

/**
 * Merges by an authorization result. A second call reads the first response again; it sends a request only if the service rejected the
 * first one and left the code valid.
 */
export async function mergeAccount(
  context: MergeContext,
  { result, args, signal }: Merging,
): Promise<Merged> {
  const { responses, service } = context
  const binding = openResult(result, context)
  const { verifier, clientId = context.applicationId } = binding
  if (!clientId) throw new ConfigurationError('missing_application_id')
  const sent =
    responses.get(result) ??
    send(context, {
      ...mergeRequest(result, args, { verifier, clientId, tokenUrl: service.tokenUrl }),
      signal,
    })
  responses.set(result, sent)
  // See docs/interface/accounts.md#provisional-accounts: these errors leave the code valid. After any other failure it may have been used
  // up.
  sent.catch((error: unknown) => error instanceof ApiError && error.status < 500 && responses.delete(result))
  return { received: await sent, binding: { ...binding, clientId } }
}

async function send(
  { send: sendJson, clock }: MergeContext,
  request: AccountRequest,
): Promise<ReceivedResponse> {
  const response = await requestAccount(sendJson, request)
  return { response, receivedAt: clock.now() }
}

/**
 * The code exchange with two additional fields (docs/interface/authorization.md#token-requests).
 * @throws ConfigurationError `invalid_argument`.
 */
function mergeRequest(
  { code, redirectUri }: AuthorizationResult,
  { codeVerifier, ...account }: MergeArgs,
  { verifier, clientId, tokenUrl }: Pick<ResultBinding, 'verifier'> & { clientId: string; tokenUrl: string },
): AccountRequest {
  const proof = readVerifier(codeVerifier ?? verifier)
  if (!proof) throw new ConfigurationError('invalid_argument', 'codeVerifier')
  const grant = { grant_type: 'authorization_code', code: code.reveal(), redirect_uri: redirectUri }
  const fields = { ...grant, client_id: clientId, code_verifier: proof, ...externalFields(account) }
  return { url: tokenUrl, route: `POST ${endpointRoute(tokenUrl)}`, as: 'form', fields }
}
