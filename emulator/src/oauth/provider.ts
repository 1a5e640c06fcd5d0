/** Makes the authorization server and ties the service's own rules to it. */
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { allowCodesWithoutRedirect } from '../activity/codes.js'
import { concernsProofKey } from './authorize-refusal.js'
import { allowClientCredentials } from './client-credentials.js'
import { acceptSecret } from './client-secret.js'
import { configuration } from './configuration.js'
import { dateIdTokens } from './id-token-time.js'
import { describeHonestly } from './discovery.js'
import { DevicePolls, pollInterval } from './device-polls.js'
import { deviceFlow, offerUserCode } from './device-flow.js'
import type { Library } from './library.js'
import { switchPlayer } from './player-switch.js'
import { renderRefusal } from './render-refusal.js'
import { explainTokenError, slowDown } from './token-refusal.js'
import { splitScopes } from './scopes.js'
import { endOlderAccess } from './revocation.js'
import { headerText } from './header-text.js'
import { markTokens } from './token-mark.js'
import { allowMerge } from '../partner/merge-grants.js'
import type { Partner } from '../partner/partner.js'
import type { Service } from '../service.js'

export async function createProvider(service: Service, library: Library, partner: Partner): Promise<Provider> {
  const settings = configuration(service, library)
  const provider = new library.Provider(service.url, {
    ...settings,
    features: { ...settings.features, deviceFlow: deviceFlow() },
    renderError: (ctx, out, error) => renderRefusal(ctx, out, { error, application: service.seed.application }),
  })
  // A page that posts the answer is not something the service does.
  library.internals(provider).responseModes.delete('form_post')
  const client = await provider.Client.find(service.seed.application.id)
  if (client !== undefined) {
    const current = () => library.Provider.ctx
    acceptSecret(client, { current, clientSecret: service.credentials.clientSecret })
    allowClientCredentials(client, { current, team: service.seed.application.team, library })
  }
  markTokens(provider)
  dateIdTokens(provider, service.clock)
  allowCodesWithoutRedirect(provider, service, library)
  allowMerge(provider, partner, library)
  listen(provider, service)
  for (const rule of [describeHonestly, dropStrayNonce, offerUserCode, switchPlayer(provider)]) provider.use(rule)
  return provider
}

function listen(provider: Provider, { state, clock, strictRefresh }: Service): void {
  provider.on('authorization.error', (ctx, error) => {
    ctx.set('X-Emulator-Rule', headerText(error.error_description ?? error.message))
    // Who sends no proof key is still building the sign-in: a page says more than a redirect.
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
    if (strictRefresh && ctx.oidc.params?.['grant_type'] === 'refresh_token') endOlderAccess(ctx, state.records)
  })
  provider.on('revocation.error', explain)
  provider.on('userinfo.error', explain)
  provider.on('device_authorization.error', explain)
  provider.on('device_authorization.success', (_ctx, body) => {
    Object.assign(body ?? {}, { interval: pollInterval })
  })
  provider.on('server_error', (ctx, error) => {
    ctx.set('X-Emulator-Rule', 'the emulator failed; its terminal says more')
    console.error(error)
  })
}

/** A nonce means something in an ID token only; without `openid` it is ignored instead of refused. */
async function dropStrayNonce(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const { nonce, scope, ...others } = ctx.query
  if (ctx.path === '/oauth2/authorize' && nonce !== undefined && !splitScopes(String(scope ?? '')).includes('openid')) {
    ctx.query = scope === undefined ? others : { ...others, scope }
  }
  await next()
}
