/** The steps of `authorize` and `signIn`. Nothing is awaited before the surface opens: a popup needs the player's click. */
import { argumentFault } from '../../shared/authorization/authorization-flow'
import type { AuthorizationArgsFields } from '../../shared/authorization/authorization-args'
import {
  type AuthorizationResult,
  ownerOf,
  openResult,
} from '../../shared/authorization/authorization-result'
import { ConfigurationError } from '../../shared/foundation/errors'
import { ownFields } from '../../shared/foundation/untrusted-values'
import { checkOptions, requireNumber } from '../../shared/foundation/options'
import { requireWebCrypto } from '../../shared/foundation/crypto'
import type { Session } from '../session/session'
import { loadArgumentError } from '../context/capabilities'
import type { ClientBase } from '../context/client-base'
import type { ClientContext } from './client-context'
import type { AuthorizeOptions, SignInOptions } from './sign-in-options'
import { listenToAbort } from '../../shared/foundation/async'
import type { AuthorizationSurface } from '../../shared/authorization/authorization-surface'
import type { Sessions } from './sessions'

/** Default time in ms for a player to complete a sign-in; doubled for a surface that leaves the page. */
const AUTHORIZE_TIMEOUT = 300_000
export const COMMUNICATION_SCOPES = 'openid sdk.social_layer'
const OPENID = /(^| )openid( |$)/

/** @throws the errors of `Client.authorize`. */
export async function runAuthorize(
  client: ClientBase,
  args: AuthorizationArgsFields,
  options: AuthorizeOptions | undefined,
): Promise<AuthorizationResult> {
  const { surface = client.surface, timeout, signal } = ownFields(options ?? {})
  if (!surface)
    throw new ConfigurationError('unsupported', 'surface', {
      remedy: 'No page is available here: pass a surface, or use client.accounts.getTokenFromDevice()',
    })
  requireNumber(timeout, 'timeout', { kind: 'ms', min: 1, example: '300_000' })
  // The ID token could not be verified without Web Crypto, so fail before the player is asked.
  if (OPENID.test(args?.scopes ?? '')) requireWebCrypto()
  const limit = timeout ?? AUTHORIZE_TIMEOUT * (surface.keep ? 2 : 1)
  return client.flow.authorize(args, {
    surface,
    timeout: limit,
    signal,
    applicationId: client.options.applicationId,
    owner: ownerOf(client.options),
    invitation: client.invitation,
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
  const own = checkOptions(given, OPTIONS)
  const { result, codeVerifier, scopes, args: givenArgs, surface, timeout } = own
  if (scopes !== undefined && givenArgs !== undefined)
    throw new ConfigurationError('invalid_argument', 'scopes', {
      remedy: 'Give either scopes or args: { scopes }',
    })
  const args = givenArgs ?? { scopes: scopes ?? COMMUNICATION_SCOPES }
  if (!result && !OPENID.test(ownFields(args).scopes ?? ''))
    throw await argumentFault(['scopes'], loadArgumentError)
  context.requireOpen()
  if (result) openResult(result, context.options)
  const authorize = (signal: AbortSignal) => authorizePlayer(args, { surface, timeout, signal })
  return context.authState.whileConnecting(
    async () => {
      // 1. The player consents on the authorize page, while the code of the other steps loads.
      const [authorized, sessions] = result
        ? [result, await loadSteps(context)]
        : await authorizeWhileLoading(context, own, authorize)
      // 2. The code is redeemed, and 3. the ID token of the response is verified.
      const verified = await sessions.redeem(authorized, { codeVerifier, signal: own.signal })
      // 4. The service says whose the tokens are.
      return sessions.identifySignIn(verified, own.signal)
    },
    // 5. The tokens become the session, unless the player signed out meanwhile.
    async (identified) => (await context.sessions()).adopt(identified),
  )
}

/** Shows the authorize page while the code loads. A failed load aborts the authorization, so that no consent is wasted. */
async function authorizeWhileLoading(
  context: ClientContext,
  {
    surface = context.surface,
    signal,
  }: { surface?: AuthorizationSurface | undefined; signal?: AbortSignal | undefined },
  authorize: (signal: AbortSignal) => Promise<AuthorizationResult>,
): Promise<[result: AuthorizationResult, sessions: Sessions]> {
  const cancellation = new AbortController()
  const cancel = () => cancellation.abort()
  const forget = listenToAbort(signal, cancel)
  try {
    // Leaving the page would abort the downloads. Read first: a surface of the game may throw.
    const leavesPage = surface?.keep !== undefined
    // Called synchronously: a popup needs the player's click.
    const result = authorize(cancellation.signal)
    return leavesPage
      ? [await result, await loadSteps(context)]
      : await Promise.all([result, loadSteps(context)])
  } finally {
    forget()
    cancel()
  }
}

/** Loads what follows the consent. The signing keys are fetched too, but not awaited: tokens can be verified later. */
async function loadSteps({ tokenClient, sessions }: ClientContext): Promise<Sessions> {
  const [client, loaded] = await Promise.all([tokenClient(), sessions()])
  client.prepare()
  await loaded.prepare()
  return loaded
}
