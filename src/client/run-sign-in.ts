/** The steps of `authorize` and `signIn`. Nothing is awaited before the surface opens: a popup needs the player's click. */
import { argumentFault } from '../shared/authorization/argument-fault'
import type { AuthorizationArgsFields } from '../shared/authorization/authorization-args'
import { type AuthorizationResult, ownerOf, openResult } from '../shared/authorization/authorization-result'
import { ConfigurationError } from '../shared/foundation/errors'
import { ownFields } from '../shared/foundation/untrusted-values'
import { checkOptions, requireNumber } from '../shared/foundation/options'
import { requireWebCrypto } from '../shared/foundation/crypto'
import type { Session } from './session/session'
import type { ClientContext } from './context/client-context'
import type { AuthorizeOptions, SignInOptions } from './sign-in-options'
import { listenToAbort } from '../shared/foundation/abort-group'
import type { AuthorizationSurface } from '../shared/authorization/authorization-surface'
import type { TokenClient } from './session/token-client'

/** Default time in ms for a player to complete a sign-in; doubled for a surface that leaves the page. */
const AUTHORIZE_TIMEOUT = 300_000
export const COMMUNICATION_SCOPES = 'openid sdk.social_layer'
const OPENID = /(^| )openid( |$)/

/** @throws the errors of `Client.authorize`. */
export async function runAuthorize(
  context: ClientContext,
  args: AuthorizationArgsFields,
  options: AuthorizeOptions | undefined,
): Promise<AuthorizationResult> {
  const { surface = context.surface, timeout, signal } = ownFields(options ?? {})
  if (!surface)
    throw new ConfigurationError('unsupported', 'surface', {
      remedy: 'No page is available here: pass a surface, or use client.accounts.getTokenFromDevice()',
    })
  requireNumber(timeout, 'timeout', { kind: 'ms', min: 1, example: '300_000' })
  // The ID token could not be verified without Web Crypto, so fail before the player is asked.
  if (OPENID.test(args?.scopes ?? '')) requireWebCrypto()
  const limit = timeout ?? AUTHORIZE_TIMEOUT * (surface.keep ? 2 : 1)
  const { flow, applicationId, invitation } = context
  return flow.authorize(args, {
    surface,
    timeout: limit,
    signal,
    applicationId,
    owner: ownerOf(context),
    invitation,
  })
}

/** `authorize` of the client, which a subclass may override. */
type Authorize = (args: AuthorizationArgsFields, options: AuthorizeOptions) => Promise<AuthorizationResult>

const OPTIONS = ['scopes', 'args', 'result', 'codeVerifier', 'surface', 'timeout', 'signal'] as const

/** @throws the errors of `Client.signIn`. */
export async function runSignIn(
  context: ClientContext,
  given: SignInOptions | undefined,
  authorizePlayer: Authorize,
): Promise<Session> {
  const { result, codeVerifier, scopes, args: givenArgs, ...options } = checkOptions(given, OPTIONS)
  if (scopes !== undefined && givenArgs !== undefined)
    throw new ConfigurationError('invalid_argument', 'scopes', {
      remedy: 'Give either scopes or args: { scopes }',
    })
  const args = givenArgs ?? { scopes: scopes ?? COMMUNICATION_SCOPES }
  if (!result && !OPENID.test(ownFields(args).scopes ?? '')) throw await argumentFault(['scopes'])
  context.requireOpen()
  if (result) openResult(result, context)
  const { authState, sessions } = context
  return authState.runSignIn(
    async () => {
      const authorize = (signal: AbortSignal) => authorizePlayer(args, { ...options, signal })
      // 1. The player consents on the authorize page, while the code of the other steps loads.
      const [authorized, exchange] = result
        ? [result, await loadExchange(context)]
        : await authorizeWhileLoading(context, options, authorize)
      // 2. The code is redeemed, and 3. the ID token of the response is verified.
      const verified = await exchange.redeem(authorized, { codeVerifier, signal: options.signal })
      // 4. The service says whose the tokens are.
      return (await sessions()).identify(verified, options.signal)
    },
    // 5. The tokens become the session, unless the player signed out meanwhile.
    async (identified) => (await sessions()).adopt(identified),
  )
}

type Loaded = [result: AuthorizationResult, exchange: TokenClient]

/** Shows the authorize page while the code loads. A failed load aborts the authorization, so that no consent is wasted. */
async function authorizeWhileLoading(
  context: ClientContext,
  {
    surface = context.surface,
    signal,
  }: { surface?: AuthorizationSurface | undefined; signal?: AbortSignal | undefined },
  authorize: (signal: AbortSignal) => Promise<AuthorizationResult>,
): Promise<Loaded> {
  const cancellation = new AbortController()
  const cancel = () => cancellation.abort()
  const forget = listenToAbort(signal, cancel)
  try {
    // Leaving the page would abort the downloads. Read first: a surface of the game may throw.
    const leavesPage = surface?.keep !== undefined
    // Called synchronously: a popup needs the player's click.
    const result = authorize(cancellation.signal)
    return leavesPage
      ? [await result, await loadExchange(context)]
      : await Promise.all([result, loadExchange(context)])
  } finally {
    forget()
    cancel()
  }
}

/** The signing keys are fetched too, but not awaited: tokens can be verified later. */
async function loadExchange({ exchange, sessions }: ClientContext): Promise<TokenClient> {
  const [redeemer, loaded] = await Promise.all([exchange(), sessions()])
  redeemer.prepare()
  await loaded.prepare()
  return redeemer
}
