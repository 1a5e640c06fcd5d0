/** Authorization inside an Activity: the host window shows the consent and returns the code (docs/interface/activities.md#host-commands). */
import { type AuthorizationResult, mintResult } from '../../shared/authorization/authorization-result'
import type { Attempt } from '../../shared/authorization/attempt'
import type { AuthorizationSurface } from '../../shared/authorization/authorization-flow'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { ApiError, AuthorizationError } from '../../shared/foundation/errors'
import { Secret } from '../../shared/foundation/secret'
import type { ActivityConnection } from './activity-connection'

/** Authorization code syntax (RFC 6749 appendix A.11), with a length limit. */
const CODE = /^[!-~]{1,2048}$/
/** Time-out in ms, longer than any flow: the flow has its own deadline. */
const AUTHORIZE_TIMEOUT = 3_600_000

/**
 * Creates the surface of a game inside an Activity. Without a redirect, the code is bound by the frame's origin, the command nonce and
 * PKCE.
 */
export function hostSurface(connection: ActivityConnection): AuthorizationSurface {
  return {
    open: () => Promise.reject(new AuthorizationError('surface_failed')),
    ask: (url, attempt, signal) => requestCode(connection, { url, attempt, signal }),
  }
}

interface AuthorizeCommand {
  url: string
  attempt: Attempt
  signal: AbortSignal
}

async function requestCode(
  connection: ActivityConnection,
  { url, attempt, signal }: AuthorizeCommand,
): Promise<AuthorizationResult> {
  const query = new URL(url).searchParams
  const args = {
    client_id: attempt.clientId,
    response_type: 'code',
    scope: attempt.scopes.split(' '),
    state: attempt.state,
    code_challenge: query.get('code_challenge'),
    code_challenge_method: 'S256',
  }
  const data = await connection
    .command('AUTHORIZE', args, { signal, timeout: AUTHORIZE_TIMEOUT })
    .catch(refused)
  const code = isRecord(data) ? data['code'] : undefined
  if (typeof code !== 'string' || !CODE.test(code)) throw new AuthorizationError('missing_code')
  // The host command has no nonce field, so an ID token with a nonce is rejected.
  const { verifier, scopes, clientId, owner } = attempt
  return mintResult(new Secret(code), { verifier, scopes, clientId, owner })
}

/** The player denied the request, or the host refused it. */
function refused(error: unknown): never {
  if (!(error instanceof ApiError)) throw error
  throw new AuthorizationError(error.apiCode === 5000 ? 'access_denied' : 'authorization_failed', {
    serviceError: error.code,
  })
}
