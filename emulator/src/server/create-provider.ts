/** Creates the authorization server, and adds the service's own rules. */
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { allowCodesWithoutRedirect } from '../activity/issue-code.js'
import { concernsProofKey } from '../oauth/describe-authorization-error.js'
import { allowClientCredentials } from '../oauth/allow-client-credentials.js'
import { acceptSecret } from '../oauth/accept-secret.js'
import { configuration } from '../oauth/configuration.js'
import { shapeIdTokens, withholdIdToken } from '../oauth/shape-id-tokens.js'
import { correctDiscovery } from '../oauth/correct-discovery.js'
import { DevicePolls, POLL_INTERVAL } from '../oauth/device-polls.js'
import { deviceFlow, offerUserCode, renewForm } from '../oauth/device-flow.js'
import type { OidcLibrary } from '../oauth/load-oidc-provider.js'
import { switchAccount } from '../oauth/switch-account.js'
import { renderError } from '../oauth/render-error.js'
import { explainTokenError, slowDown } from '../oauth/explain-token-error.js'
import { splitScopes } from '../model/scope.js'
import { endOlderAccess } from '../oauth/revoke-all.js'
import { isBrokenOff } from '../foundation/is-broken-off.js'
import { headerText } from '../foundation/header-text.js'
import { prefixTokens } from '../oauth/prefix-tokens.js'
import { allowMerge } from '../accounts/allow-merge.js'
import type { AccountService } from '../accounts/account-service.js'
import type { EmulatorContext } from '../context/emulator-context.js'

export async function createProvider(context: EmulatorContext, oidc: OidcLibrary, accountService: AccountService): Promise<Provider> {
  const settings = configuration(context, oidc)
  const provider = new oidc.Provider(context.url, {
    ...settings,
    features: { ...settings.features, deviceFlow: deviceFlow() },
    renderError: (ctx, out, error) => renderError(ctx, out, { error, application: context.seed.application }),
  })
  // The service does not support `form_post`.
  oidc.internals(provider).responseModes.delete('form_post')
  const client = await provider.Client.find(context.seed.application.id)
  if (client !== undefined) {
    const current = () => oidc.Provider.ctx
    acceptSecret(client, { current, clientSecret: context.credentials.clientSecret, publicClient: context.seed.application.publicClient })
    allowClientCredentials(client, { current, team: context.seed.application.team, oidc })
  }
  prefixTokens(provider)
  shapeIdTokens(provider, context.clock, context.idTokens)
  allowCodesWithoutRedirect(provider, context, oidc)
  allowMerge(provider, accountService, oidc)
  listen(provider, context)
  for (const rule of [correctDiscovery, dropStrayNonce, offerUserCode, renewForm(provider), switchAccount(provider)]) provider.use(rule)
  return provider
}

function listen(provider: Provider, { state, clock, strictRefresh, idTokens }: EmulatorContext): void {
  provider.on('authorization.error', (ctx, error) => {
    ctx.set('X-Emulator-Rule', headerText(error.error_description ?? error.message))
    // A missing code_challenge is a mistake in development: an error page explains more than a redirect.
    if (concernsProofKey(error.error_description)) error.allow_redirect = false
  })
  const explain = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => explainTokenError(ctx, error, state.records)
  const polls = new DevicePolls(clock)
  provider.on('grant.error', (ctx, error) => {
    explain(ctx, error)
    const interval = error.error === 'authorization_pending' ? polls.tooSoon(String(ctx.oidc.params?.['device_code'])) : undefined
    if (interval !== undefined) slowDown(ctx, interval)
  })
  provider.on('grant.success', (ctx) => {
    withholdIdToken(ctx, idTokens)
    if (strictRefresh && ctx.oidc.params?.['grant_type'] === 'refresh_token') endOlderAccess(ctx, state.records)
  })
  provider.on('revocation.error', explain)
  provider.on('userinfo.error', explain)
  provider.on('device_authorization.error', explain)
  provider.on('device_authorization.success', (_ctx, body) => {
    Object.assign(body ?? {}, { interval: POLL_INTERVAL })
  })
  const emitter: NodeJS.EventEmitter = provider
  // Koa would print it, even if the client broke off in the middle of its request.
  emitter.on('error', (error: unknown) => {
    if (!isBrokenOff(error)) console.error(error)
  })
  provider.on('server_error', (ctx, error) => {
    ctx.set('X-Emulator-Rule', 'the emulator failed; its terminal says more')
    console.error(error)
  })
}

/** Ignores `nonce` without the scope `openid`, which the library would refuse. */
async function dropStrayNonce(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const { nonce, scope, ...others } = ctx.query
  if (ctx.path === '/oauth2/authorize' && nonce !== undefined && !splitScopes(String(scope ?? '')).includes('openid')) {
    ctx.query = scope === undefined ? others : { ...others, scope }
  }
  await next()
}
