/** Issues authorization codes inside an Activity: without consent page or redirect, with PKCE as the game sent it. */
import { createHash } from 'node:crypto'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { textOf } from '../../foundation/values.js'
import type { OidcLibrary } from '../oauth/load-oidc-provider.js'
import { expandScopes } from '../../model/scope.js'
import type { EmulatorContext } from '../../state/emulator-context.js'

export interface CodeRequest {
  userId: string
  scopes: string[]
  /** S256 challenge. Without it, only the client secret can exchange the code. */
  challenge: string | undefined
}

const GRANT_TYPE = 'authorization_code'

/** Stored as the redirect URI of codes without one. It is derived from a secret key, so that no request can contain it. */
function nowhere({ credentials }: EmulatorContext): string {
  return `urn:activity:${createHash('sha256').update(`activity ${credentials.cookieKey}`).digest('hex')}`
}

export async function issueCode(
  request: CodeRequest,
  context: EmulatorContext,
  provider: Provider,
): Promise<string> {
  const clientId = context.seed.application.id
  const client = await provider.Client.find(clientId)
  if (client === undefined) throw new TypeError(`no client ${clientId}`)
  const scope = expandScopes(request.scopes).join(' ')
  const grant = new provider.Grant({ accountId: request.userId, clientId })
  grant.addOIDCScope(scope)
  const code = new provider.AuthorizationCode({
    accountId: request.userId,
    client,
    gty: GRANT_TYPE,
    grantId: await grant.save(),
    scope,
    redirectUri: nowhere(context),
    ...(request.challenge === undefined
      ? {}
      : { codeChallenge: request.challenge, codeChallengeMethod: 'S256' }),
  })
  return code.save()
}

/**
 * The library requires a redirect URI in every exchange; for a code of an Activity, sending none is correct.
 * Without PKCE, only the client secret proves that the code was not stolen.
 */
export function allowCodesWithoutRedirect(
  provider: Provider,
  context: EmulatorContext,
  { internals, InvalidGrant }: OidcLibrary,
): void {
  const { grantTypeHandlers, grantTypeParams } = internals(provider)
  const exchange = grantTypeHandlers.get(GRANT_TYPE)
  if (exchange === undefined)
    throw new TypeError('the authorization server library keeps its grants elsewhere now')
  const handler = async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { params } = ctx.oidc
    const code = await provider.AuthorizationCode.find(textOf(params?.['code']) ?? '')
    if (
      code !== undefined &&
      code.codeChallenge === undefined &&
      ctx.oidc.client?.clientAuthMethod === 'none'
    )
      throw new InvalidGrant(
        'the code was asked for without a code_challenge: it is exchanged with the client secret only',
      )
    if (
      params !== undefined &&
      params['redirect_uri'] === undefined &&
      code?.redirectUri === nowhere(context)
    )
      params['redirect_uri'] = nowhere(context)
    await exchange(ctx)
  }
  provider.registerGrantType(GRANT_TYPE, handler, [...(grantTypeParams.get(GRANT_TYPE) ?? [])])
}
