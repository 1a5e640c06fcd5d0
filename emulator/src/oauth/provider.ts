/** Makes the authorization server and ties the service's own rules to it. */
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { concernsProofKey } from './authorize-refusal.js'
import { allowClientCredentials } from './client-credentials.js'
import { acceptSecret } from './client-secret.js'
import { configuration } from './configuration.js'
import { deviceFlow, offerUserCode } from './device-flow.js'
import type { Library } from './library.js'
import { switchPlayer } from './player-switch.js'
import { renderRefusal } from './render-refusal.js'
import { explainTokenError } from './token-refusal.js'
import { splitScopes } from './scopes.js'
import { headerText } from './header-text.js'
import { markTokens } from './token-mark.js'
import type { Service } from '../service.js'

export async function createProvider(service: Service, library: Library): Promise<Provider> {
  const settings = configuration(service, library)
  const provider = new library.Provider(service.url, {
    ...settings,
    features: { ...settings.features, deviceFlow: deviceFlow() },
    renderError: (ctx, out, error) => renderRefusal(ctx, out, { error, application: service.seed.application }),
  })
  const client = await provider.Client.find(service.seed.application.id)
  if (client !== undefined) {
    const current = () => library.Provider.ctx
    acceptSecret(client, { current, clientSecret: service.credentials.clientSecret })
    allowClientCredentials(client, { current, team: service.seed.application.team, library })
  }
  markTokens(provider)
  listen(provider, service)
  for (const rule of [dropStrayNonce, offerUserCode, switchPlayer(provider)]) provider.use(rule)
  return provider
}

function listen(provider: Provider, { state }: Service): void {
  provider.on('authorization.error', (ctx, error) => {
    ctx.set('X-Emulator-Rule', headerText(error.error_description ?? error.message))
    // Who sends no proof key is still building the sign-in: a page says more than a redirect.
    if (concernsProofKey(error.error_description)) error.allow_redirect = false
  })
  const explain = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => explainTokenError(ctx, error, state.records)
  provider.on('grant.error', explain)
  provider.on('revocation.error', explain)
  provider.on('userinfo.error', explain)
  provider.on('device_authorization.error', explain)
  provider.on('device_authorization.success', (_ctx, body) => {
    Object.assign(body ?? {}, { interval: 5 })
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
