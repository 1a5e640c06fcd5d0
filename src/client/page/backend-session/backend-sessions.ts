/** Sessions of a confidential application in a page: the game's backend redeems the codes and keeps the refresh token. */
import { type AuthorizationResult, openResult } from '../../../shared/authorization/authorization-result'
import type { ClientContext } from '../../context/client-context'
import type { Exchange } from '../../context/exchange'
import type { GivenTokens } from '../../context/given-tokens'
import type { SessionBackend } from '../../context/session-backend'
import type { Sessions, SignOutOptions, SignOutResult } from '../../context/sessions'
import { base64url, sha256 } from '../../../shared/foundation/crypto'
import { ConfigurationError, type FoyerError, NetworkError } from '../../../shared/foundation/errors'
import type { UserId } from '../../../shared/foundation/ids'
import { reveal } from '../../../shared/foundation/secret'
import type { CodeExchange } from '../../session/token-client'
import { KeptToken } from '../../../shared/tokens/kept-token'
import {
  readVerifier,
  type ReceivedResponse,
  type TokenResponseReader,
} from '../../../shared/tokens/requests/token-endpoint'
import { splitScopes } from '../../../shared/tokens/token-set'
import { connectBackend } from './connect-backend'
import { readKeptTokens } from './kept-tokens'

/** The steps after a consent, with codes redeemed by the backend. */
export async function redeemInBackend(context: ClientContext, exchange: Exchange): Promise<Exchange> {
  const backend = connectBackend(context)
  /** By result: if the keys cannot be fetched, the response is read again, and the code is not used twice. */
  const responses = new WeakMap<AuthorizationResult, Promise<ReceivedResponse | null>>()
  const read = readWith(exchange)
  const redeem: CodeExchange = async (result, { codeVerifier, signal }) => {
    const {
      verifier = codeVerifier,
      clientId = context.applicationId,
      ...binding
    } = openResult(result, context)
    if (!clientId) throw new ConfigurationError('missing_application_id')
    const { code, redirectUri } = result
    const proof = { codeVerifier: readVerifier(verifier), nonce: binding.nonce }
    const body = { code: code.reveal(), redirectUri, ...proof, isEmbedded: isEmbedded() }
    const received = responses.get(result) ?? backend.post('sign-in', body, signal)
    responses.set(result, received)
    backend.signingIn = received.catch(() => undefined)
    return read(requireResponse(await received), { ...binding, clientId }, signal)
  }
  return { ...exchange, redeem, read, identify: identifyWith(exchange) }
}

/** `create`: makes sessions in memory. @throws ConfigurationError `invalid_argument` beside another source of tokens. */
export function createBackendSessions(context: ClientContext, create: () => Sessions): Sessions {
  const rival = (['tokenStore', 'getToken'] as const).find((name) => context[name])
  if (rival)
    throw new ConfigurationError('invalid_argument', rival, {
      remedy: 'Leave it out: backendSession brings the tokens',
    })
  const backend = connectBackend(context)
  context.getToken = async ({ refused, userId }) => {
    const hash = refused instanceof KeptToken ? {} : { refused: base64url(sha256(reveal(refused))) }
    const received = await backend.post('token', hash)
    // The backend has gone on as the player's provisional account: this session is over, and `resume` finds the other.
    const { user_id: now = userId } = received?.response.body ?? {}
    return now === userId ? tokensOf(received) : null
  }
  const sessions = create()
  let restoring: Promise<void> | undefined
  return {
    ...sessions,
    methods: (caller) => ({
      ...sessions.methods(caller),
      async resume() {
        await (restoring ??= restore({ context, backend, sessions }).finally(() => (restoring = undefined)))
        return sessions.methods(caller).resume()
      },
    }),
    async signOut(options, caller) {
      backend.signOuts += 1
      const [result] = await Promise.all([
        endInBackend(backend, { ...options, userId: caller.userId }),
        sessions.signOut({}, caller),
      ])
      return result
    },
  }
}

interface Parts {
  context: ClientContext
  backend: SessionBackend
  sessions: Sessions
}

/** Continues the session of the cookie. */
async function restore({ context, backend, sessions }: Parts): Promise<void> {
  const { authState, unidentified, applicationId: clientId } = context
  if (authState.session || unidentified) return
  if (!clientId) throw new ConfigurationError('missing_application_id')
  const { signOuts } = backend
  const received = await backend.post('token', {})
  if (!received || authState.session || signOuts !== backend.signOuts) return
  await authState.runSignIn(
    async () => {
      const { read, identify } = await context.exchange()
      const verified = await read(received, { clientId, isRefresh: true })
      return identify({ ...verified, asked: verified.tokens.scopes })
    },
    // The player may have signed in meanwhile.
    async (identified) => authState.session ?? sessions.adopt(identified),
  )
}

/** After a sign-in that is on its way: its response would bring a cookie again. */
async function endInBackend(
  backend: SessionBackend,
  { revoke = false, signal, userId }: SignOutOptions & { userId: UserId | undefined },
): Promise<SignOutResult> {
  await backend.signingIn
  return backend.post('sign-out', { revoke, userId }, signal).then(
    (ended) => ({ revoked: ended?.response.body['revoked'] === true }),
    (error: FoyerError) => ({ revoked: false, error }),
  )
}

function tokensOf(received: ReceivedResponse | null): GivenTokens | null {
  return received && (readKeptTokens(received) ?? { access_token: '', ...received.response.body })
}

/** Answers without tokens too. */
const readWith =
  ({ read }: Exchange): TokenResponseReader =>
  async (received, expected, signal) => {
    const tokens = readKeptTokens(received)
    if (!tokens) return read(received, expected, signal)
    return {
      tokens,
      clientId: expected.clientId,
      asked: splitScopes(expected.scopes ?? ''),
      obtainedAt: received.receivedAt,
    }
  }

/** The backend has said whose the tokens are that it keeps. */
const identifyWith =
  ({ identify, fetchUser }: Exchange): Exchange['identify'] =>
  async (verified, signal) => {
    const { tokens } = verified
    if (!(tokens.accessToken instanceof KeptToken) || tokens.claims) return identify(verified, signal)
    const { userId } = tokens.accessToken
    return { ...verified, userId, user: await fetchUser({ tokens, userId, signal }) }
  }

function requireResponse(received: ReceivedResponse | null): ReceivedResponse {
  if (!received) throw new NetworkError('connection_failed', 'sign-in')
  return received
}

/** In a frame of another site, cookies need to be partitioned. */
function isEmbedded(): boolean {
  try {
    return typeof top === 'object' && top?.location.href === undefined
  } catch {
    return true
  }
}
