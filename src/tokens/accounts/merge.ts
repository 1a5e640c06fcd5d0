/** Signs a player in and brings the account along that they had without one: a merge in the place of the usual exchange. */
import { type AuthorizationResult, type ClientIdentity, openResult, type ResultBinding } from '../../authorization/result'
import type { Clock } from '../../foundation/clock'
import { ApiError, ConfigurationError } from '../../foundation/errors'
import { reveal, type Secret } from '../../foundation/secret'
import type { SendJson } from '../../http/request'
import type { ServiceConfig } from '../../service/config'
import { type AccountRequest, requestAccount } from './account-request'
import { type ExternalAccount, externalFields } from './external-account'
import type { ReceivedResponse } from '../token-response'

/** What is merged into the account that the code is for. */
export interface MergeArgs extends ExternalAccount {
  /** Needed only for a challenge of the caller's own. */
  codeVerifier?: Secret | string | undefined
}

export interface MergeContext extends ClientIdentity {
  service: ServiceConfig
  clock: Clock
  /** For a result that names no client of its own. */
  applicationId: string | undefined
}

/** An answer, and what the sign-in was bound to. */
export interface Merged {
  answered: ReceivedResponse
  binding: ResultBinding & { clientId: string }
}

/** Merges by a result. Asked again, it reads the first answer again; only what the service refused, and kept the code for, is sent again. */
export type Merge = (result: AuthorizationResult, args: MergeArgs, options: { signal?: AbortSignal | undefined }) => Promise<Merged>

export function createMerge(party: MergeContext, sendJson: SendJson): Merge {
  const answers = new WeakMap<AuthorizationResult, Promise<ReceivedResponse>>()
  const send = async (request: AccountRequest): Promise<ReceivedResponse> => {
    const answer = await requestAccount(sendJson, request)
    return { answer, receivedAt: party.clock.now() }
  }
  return async (result, args, { signal }) => {
    const binding = openResult(result, party)
    const { verifier, clientId = party.applicationId } = binding
    if (!clientId) throw new ConfigurationError('missing_application_id')
    const sent =
      answers.get(result) ?? send({ ...mergeRequest(result, args, { verifier, clientId, tokenUrl: party.service.tokenUrl }), signal })
    answers.set(result, sent)
    // Supplement A.4.6: such a refusal leaves the code as good as it was. Anything else may have used it up.
    sent.catch((error: unknown) => error instanceof ApiError && error.status < 500 && answers.delete(result))
    return { answered: await sent, binding: { ...binding, clientId } }
  }
}

/** The exchange of a code, with two fields more (supplement A.4.5). @throws ConfigurationError `invalid_argument`. */
function mergeRequest(
  { code, redirectUri }: AuthorizationResult,
  { codeVerifier, ...account }: MergeArgs,
  { verifier, clientId, tokenUrl }: Pick<ResultBinding, 'verifier'> & { clientId: string; tokenUrl: string },
): AccountRequest {
  const proof = codeVerifier ?? verifier
  if (!proof) throw new ConfigurationError('invalid_argument', 'codeVerifier')
  const grant = { grant_type: 'authorization_code', code: code.reveal(), redirect_uri: redirectUri }
  const fields = { ...grant, client_id: clientId, code_verifier: reveal(proof), ...externalFields(account) }
  return { url: tokenUrl, route: 'POST /oauth2/token', as: 'form', fields }
}
