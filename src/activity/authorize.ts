/** Signing in inside an Activity: the host window asks the player and hands over the code itself (supplement C.3). */
import { type AuthorizationResult, mintResult } from '../authorization/result'
import type { Attempt } from '../authorization/request'
import type { AuthorizationSurface } from '../authorization/surface'
import { isRecord } from '../foundation/encoding'
import { ApiError, AuthorizationError } from '../foundation/errors'
import { Secret } from '../foundation/secret'
import type { ActivityConnection } from './connection'

/** RFC 6749 appendix A.11, bounded. */
const CODE = /^[!-~]{1,2048}$/
/** The flow has a deadline of its own; this one only has to be later. ms. */
const NEVER_FIRST = 3_600_000

/** The surface of a game inside an Activity. There is no redirect: the answer is bound by the frame's origin, its nonce, and PKCE. */
export function hostSurface(connection: ActivityConnection): AuthorizationSurface {
  return {
    open: () => Promise.reject(new AuthorizationError('surface_failed')),
    ask: (url, attempt, signal) => ask(connection, { url, attempt, signal }),
  }
}

interface Question {
  url: string
  attempt: Attempt
  signal: AbortSignal
}

async function ask(connection: ActivityConnection, { url, attempt, signal }: Question): Promise<AuthorizationResult> {
  const asked = new URL(url).searchParams
  const args = {
    client_id: attempt.clientId,
    response_type: 'code',
    scope: attempt.scopes.split(' '),
    state: attempt.state,
    code_challenge: asked.get('code_challenge'),
    code_challenge_method: 'S256',
  }
  const data = await connection.command('AUTHORIZE', args, { signal, timeout: NEVER_FIRST }).catch(refused)
  const code = isRecord(data) ? data['code'] : undefined
  if (typeof code !== 'string' || !CODE.test(code)) throw new AuthorizationError('missing_code')
  // No nonce was sent: the host's command has no room for one. An ID token that carries one is then not for us.
  const { verifier, scopes, clientId, owner } = attempt
  return mintResult(new Secret(code), { verifier, scopes, clientId, owner })
}

/** The player said no, or the host would not ask. */
function refused(error: unknown): never {
  if (!(error instanceof ApiError)) throw error
  throw new AuthorizationError(error.apiCode === 5000 ? 'access_denied' : 'authorization_failed', { serviceError: error.code })
}
