/** Creates the authorization server, and adds the service's own rules. */
import { sameSecret } from '../../foundation/credentials.js'
import { headerText } from '../../foundation/header-text.js'
import { fieldsOf, isObject, textOf } from '../../foundation/values.js'
import { describeUnknown, refusedToApplication, splitScopes } from '../../model/scope.js'
import { pagePolicy } from '../../pages/documents/document.js'
import { type AuthorizationRefusal, refusalPage } from '../../pages/documents/refusal-page.js'
import type { AccountService } from '../../service/accounts/account-service.js'
import { allowCodesWithoutRedirect } from '../../service/activity/issue-code.js'
import { CLAIM_NAMES } from '../../service/oauth/claims-of.js'
import type { OidcLibrary } from '../../service/oauth/load-oidc-provider.js'
import { endOlderAccess } from '../../service/oauth/revoke-all.js'
import type { Clock } from '../../state/clock.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { findUser } from '../../state/find-user.js'
import type { IdTokenBehavior } from '../../state/id-token-behavior.js'
import type { Application } from '../../state/seed/seed.js'
import { playerSender, setSender } from '../request/log-request.js'
import { isBrokenOff } from '../request/read-json.js'
import { allowMerge } from './allow-merge.js'
import { configuration } from './configuration.js'
import { concernsProofKey, describeAuthorizationError } from './describe-authorization-error.js'
import { DevicePolls, POLL_INTERVAL, deviceFlow, offerUserCode, renewForm } from './device-flow.js'
import { explainTokenError, slowDown } from './explain-token-error.js'
import type { Client, ErrorOut, KoaContextWithOIDC, Provider, errors } from 'oidc-provider'

export async function createProvider(
  context: EmulatorContext,
  oidc: OidcLibrary,
  accountService: AccountService,
): Promise<Provider> {
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
    acceptSecret(client, {
      current,
      clientSecret: context.credentials.clientSecret,
      publicClient: context.seed.application.publicClient,
    })
    allowClientCredentials(client, { current, team: context.seed.application.team, oidc })
  }
  prefixTokens(provider)
  shapeIdTokens(provider, context.clock, context.idTokens)
  allowCodesWithoutRedirect(provider, context, oidc)
  allowMerge(provider, accountService, oidc)
  listen(provider, context)
  for (const rule of [
    nameSender(context),
    correctDiscovery,
    dropStrayNonce,
    offerUserCode,
    renewForm(provider),
    switchAccount(provider),
  ])
    provider.use(rule)
  return provider
}

function listen(provider: Provider, { state, clock, strictRefresh, idTokens }: EmulatorContext): void {
  provider.on('authorization.error', (ctx, error) => {
    ctx.set('X-Emulator-Rule', headerText(error.error_description ?? error.message))
    // A missing code_challenge is a mistake in development: an error page explains more than a redirect.
    if (concernsProofKey(error.error_description)) error.allow_redirect = false
  })
  const explain = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) =>
    explainTokenError(ctx, error, state.records)
  const polls = new DevicePolls(clock)
  provider.on('grant.error', (ctx, error) => {
    explain(ctx, error)
    const interval =
      error.error === 'authorization_pending'
        ? polls.tooSoon(String(ctx.oidc.params?.['device_code']))
        : undefined
    if (interval !== undefined) slowDown(ctx, interval)
  })
  provider.on('grant.success', (ctx) => {
    withholdIdToken(ctx, idTokens)
    if (strictRefresh && ctx.oidc.params?.['grant_type'] === 'refresh_token')
      endOlderAccess(ctx, state.records)
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

/** Records that name the sender of a request. The session does not: it is of the last player of this browser, who may be another one. */
const RECORDS = [
  'RefreshToken',
  'AuthorizationCode',
  'DeviceCode',
  'AccessToken',
  'ClientCredentials',
] as const

/** Adds the player, or the application, to the log entry of each request of the authorization server. */
function nameSender(context: EmulatorContext) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next()
    const { application } = context.seed
    const { oidc } = ctx
    if (oidc === undefined) return
    const { entities, result } = oidc
    const records = RECORDS.flatMap((name) => entities[name] ?? [])
    const accountId =
      records.map((record) => textOf(Reflect.get(record, 'accountId'))).find((id) => id !== '') ??
      result?.login?.accountId
    const player = findUser(accountId, context)
    if (player !== undefined) setSender(ctx.req, playerSender(player))
    else if (entities.ClientCredentials !== undefined)
      setSender(ctx.req, { kind: 'application', id: application.id, name: application.name })
  }
}

/** Ignores `nonce` without the scope `openid`, which the library would refuse. */
async function dropStrayNonce(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const { nonce, scope, ...others } = ctx.query
  if (
    ctx.path === '/oauth2/authorize' &&
    nonce !== undefined &&
    !splitScopes(String(scope ?? '')).includes('openid')
  ) {
    ctx.query = scope === undefined ? others : { ...others, scope }
  }
  await next()
}

const PATH = '/.well-known/openid-configuration'

/** Secrets are compared directly; signed assertions are not supported. */
const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post']
/** ID tokens contain no session id. */
const ABSENT_CLAIM = 'sid'

/** Response modes of an authorization code: always a redirect. */
const RESPONSE_MODES = ['query', 'fragment']

async function correctDiscovery(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  if (ctx.path !== PATH || !isObject(ctx.body)) return
  const {
    token_endpoint_auth_signing_alg_values_supported: _,
    claims_supported: claims,
    ...document
  } = fieldsOf(ctx.body)
  ctx.body = {
    ...document,
    claims_supported: Array.isArray(claims)
      ? [...claims.filter((name) => name !== ABSENT_CLAIM), 'aud', 'exp', 'iat', 'nonce']
      : claims,
    response_modes_supported: RESPONSE_MODES,
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  }
}

const RESUMED = /^\/(?:oauth2\/authorize|activate)\/([\w-]+)$/

/**
 * The library ends the session if the chosen player differs from its account. This changes the session's account first: the tokens of the
 * first player do not depend on the session and stay valid.
 */
function switchAccount(provider: Provider) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const uid = RESUMED.exec(ctx.path)?.[1]
    // The page has the parameters already; the library fails on others if its page is gone.
    if (uid !== undefined) ctx.query = {}
    const interaction = uid === undefined ? undefined : await provider.Interaction.find(uid)
    const chosen = interaction?.result?.login?.accountId
    if (chosen !== undefined) await handOver(await provider.Session.get(ctx), chosen)
    await next()
  }
}

async function handOver(session: InstanceType<Provider['Session']>, player: string): Promise<void> {
  if (session.accountId === undefined || session.accountId === player) return
  session.accountId = player
  session.authorizations = undefined
  await session.persist()
}

interface Cause {
  error: errors.OIDCProviderError | Error
  application: Application
}

async function renderError(ctx: KoaContextWithOIDC, out: ErrorOut, { application }: Cause): Promise<void> {
  if (ctx.path.startsWith('/api/')) {
    ctx.type = 'json'
    ctx.body = out
    return
  }
  const parameters = Object.fromEntries(
    Object.entries(ctx.query).map(([name, value]) => [name, Array.isArray(value) ? value.join(' ') : value]),
  )
  const refusal = describeAuthorizationError(
    { error: out.error, description: out.error_description ?? '', parameters },
    application,
  )
  ctx.set('X-Emulator-Rule', headerText(refusal.rule))
  ctx.set('Content-Security-Policy', pagePolicy())
  if (ctx.accepts('html', 'json') === 'json') ctx.body = jsonOf(refusal)
  else {
    ctx.type = 'html'
    ctx.body = String(await refusalPage(refusal))
  }
}

const jsonOf = ({ error, description, rule, advice }: AuthorizationRefusal): object => ({
  error,
  error_description: description,
  rule,
  ...(advice !== undefined && { advice }),
})

function prefixTokens(provider: Provider): void {
  mark(provider.AccessToken.prototype, 'emu_access_')
  mark(provider.RefreshToken.prototype, 'emu_refresh_')
  mark(provider.ClientCredentials.prototype, 'emu_application_')
}

/** The library's own method also sets the token's format, so it has to run. */
function mark(model: object, prefix: string): void {
  const generate: unknown = Reflect.get(model, 'generateTokenId')
  if (typeof generate !== 'function')
    throw new TypeError('the authorization server library makes its tokens differently now')
  Object.defineProperty(model, 'generateTokenId', {
    value(this: object) {
      return prefix + String(generate.call(this))
    },
  })
}

interface Secret {
  /** Returns the library's context of the current request. */
  current: () => typeof Provider.ctx
  clientSecret: string
  /** False for a confidential application: every request needs the secret. */
  publicClient: boolean
}

/**
 * A game's page sends only its client id, its backend also the secret (form field or Basic); the library supports one method per client.
 */
function acceptSecret(client: Client, { current, clientSecret, publicClient }: Secret): void {
  const sendsSecret = () => {
    const ctx = current()
    return (
      ctx !== undefined &&
      (ctx.headers.authorization !== undefined || ctx.oidc.params?.['client_secret'] !== undefined)
    )
  }
  Object.defineProperties(client, {
    clientAuthMethod: { get: () => (sendsSecret() || !publicClient ? 'client_secret_post' : 'none') },
    compareClientSecret: { value: (given: string) => sameSecret(given, clientSecret) },
  })
}

const GRANT_TYPE = 'client_credentials'

interface Rules {
  /** Returns the library's context of the current request. */
  current: () => typeof Provider.ctx
  team: boolean
  oidc: OidcLibrary
}

/** Overrides the client's allowed grants: the library supports neither an optional secret nor scopes of one grant. */
function allowClientCredentials(client: Client, { current, team, oidc }: Rules): void {
  const usual = client.grantTypeAllowed.bind(client)
  Object.defineProperty(client, 'grantTypeAllowed', {
    value: (type: string) => {
      if (type !== GRANT_TYPE) return usual(type)
      if (client.clientAuthMethod === 'none') return false
      checkScopes(splitScopes(textOf(current()?.oidc.body?.['scope'])), { team, oidc })
      return true
    },
  })
}

function checkScopes(scopes: string[], { team, oidc: { InvalidScope } }: Pick<Rules, 'team' | 'oidc'>): void {
  if (scopes.length === 0) throw new InvalidScope('scope is required')
  const refused = refusedToApplication(scopes, { team })
  if (refused.length === 0) return
  const why = team ? 'an application of a team cannot have these scopes' : 'unknown scope'
  throw new InvalidScope(`${why}: ${team ? refused.join(' ') : describeUnknown(refused)}`)
}

/** Claims about the player, which the service keeps out of ID tokens. */
const personal = new Set(
  Object.values(CLAIM_NAMES)
    .flat()
    .filter((name) => name !== 'sub'),
)

/**
 * Dates ID tokens by the emulator's clock, and removes the player's names. The library sets `iat` unless the payload has one; `exp` comes
 * from the configured lifetime.
 */
function shapeIdTokens(provider: Provider, clock: Clock, { names }: IdTokenBehavior): void {
  const model: object = provider.IdToken.prototype
  const payload: unknown = Reflect.get(model, 'payload')
  if (typeof payload !== 'function')
    throw new TypeError('the authorization server library makes its ID tokens differently now')
  Object.defineProperty(model, 'payload', {
    async value(this: object) {
      const claims: unknown = await payload.call(this)
      const kept = isObject(claims)
        ? Object.entries(claims).filter(([name]) => names || !personal.has(name))
        : []
      return { iat: clock.seconds(), ...Object.fromEntries(kept) }
    },
  })
}

/** Removes the ID token from a token response in which the service has none. */
function withholdIdToken(ctx: KoaContextWithOIDC, { onRefresh, forEveryGrant }: IdTokenBehavior): void {
  const { body } = ctx
  if (!isObject(body)) return
  const { grant_type: grant } = { ...ctx.oidc.params }
  const isKept = grant === 'refresh_token' ? onRefresh : forEveryGrant || isExchangeOfPage(ctx)
  if (!isKept) delete body['id_token']
}

/** A code that a page redeems: no secret, no merge, and no URL scheme of an installed game. */
function isExchangeOfPage({ oidc, headers }: KoaContextWithOIDC): boolean {
  const {
    grant_type: grant,
    client_secret: secret,
    external_auth_type: merge,
    redirect_uri: redirectUri,
  } = { ...oidc.params }
  if (
    grant !== 'authorization_code' ||
    merge !== undefined ||
    secret !== undefined ||
    headers.authorization !== undefined
  )
    return false
  return redirectUri === undefined || (typeof redirectUri === 'string' && /^https?:/.test(redirectUri))
}
