/** Configuration of the authorization server library: URLs, lifetimes, PKCE, scopes, refresh token rotation. */
import { headerText } from '../../foundation/header-text.js'
import { textOf } from '../../foundation/values.js'
import {
  describeUnknown,
  expandScopes,
  impliedScopes,
  scopeNames,
  splitScopes,
  unknownScopes,
} from '../../model/scope.js'
import { CLAIM_NAMES, claimsOf } from '../../service/oauth/claims-of.js'
import type { OidcLibrary } from '../../service/oauth/load-oidc-provider.js'
import { RecordsAdapter } from '../../service/oauth/records-adapter.js'
import { revokeAll } from '../../service/oauth/revoke-all.js'
import type { Clock } from '../../state/clock.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { findUser } from '../../state/find-user.js'
import type { Configuration, KoaContextWithOIDC, interactionPolicy } from 'oidc-provider'

const MINUTE = 60
const DAY = 86_400
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export function configuration(context: EmulatorContext, oidc: OidcLibrary): Configuration {
  const { seed, credentials, state, clock, url, port } = context
  return {
    adapter: (kind) => new RecordsAdapter(kind, { records: state.records, clock }),
    clients: [
      {
        client_id: seed.application.id,
        client_name: seed.application.name,
        // Only native clients may have redirect URIs with custom schemes and any loopback port.
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT],
        response_types: ['code'],
        redirect_uris: seed.application.redirectUris,
      },
      // A child's tokens are issued from its parent's; here it can only revoke them.
      ...seed.application.children.map(({ id, name }) => ({
        client_id: id,
        client_name: name,
        token_endpoint_auth_method: 'none' as const,
        grant_types: [],
        response_types: [],
        redirect_uris: [],
      })),
    ],
    jwks: { keys: [credentials.signingKey] },
    // Cookies ignore ports: the names keep two emulators on one machine apart.
    cookies: {
      keys: [credentials.cookieKey],
      names: {
        session: `emu_session_${port}`,
        interaction: `emu_interaction_${port}`,
        resume: `emu_resume_${port}`,
      },
    },
    findAccount: async (_ctx, id) => {
      const player = findUser(id, context)
      return player && { accountId: id, claims: () => claimsOf(player, url) }
    },
    interactions: {
      policy: consentPolicy(oidc),
      url: (_ctx, interaction) => `/oauth2/sign-in/${interaction.uid}`,
    },
    ...tokens(clock, oidc),
    ...endpoints(context),
  }
}

function tokens(clock: Clock, oidc: OidcLibrary): Configuration {
  return {
    scopes: scopeNames,
    claims: CLAIM_NAMES,
    conformIdTokenClaims: false,
    clockTolerance: 0,
    responseTypes: ['code'],
    pkce: { required: (ctx) => hasOwnScheme(ctx.oidc.params?.['redirect_uri']) },
    // Runs after the redirect URI was checked, so that an invalid scope is reported to the application.
    extraParams: {
      integration_type: (ctx) => resolveScopes(ctx, oidc),
      guild_id: null,
      permissions: null,
      disable_guild_select: null,
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    // A second sign-in in the same browser must not revoke the tokens of the first one.
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    clientBasedCORS: () => true,
    ttl: {
      AccessToken: () => 7 * DAY,
      ClientCredentials: () => 7 * DAY,
      // The library adds it to the machine's time, but the token is dated by the emulator's clock.
      IdToken: () => 60 * MINUTE + clock.aheadSeconds,
      AuthorizationCode: 100,
      DeviceCode: () => 5 * MINUTE,
      Interaction: () => 60 * MINUTE,
      RefreshToken: () => 90 * DAY,
      Grant: () => 365 * DAY,
      Session: () => 30 * DAY,
    },
  }
}

function endpoints(context: EmulatorContext): Configuration {
  return {
    routes: {
      authorization: '/oauth2/authorize',
      token: '/api/v10/oauth2/token',
      revocation: '/api/v10/oauth2/token/revoke',
      jwks: '/api/v10/oauth2/keys',
      userinfo: '/api/v10/oauth2/userinfo',
      device_authorization: '/api/v10/oauth2/device/authorize',
      code_verification: '/activate',
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      dPoP: { enabled: false },
      claimsParameter: { enabled: false },
      revocation: { enabled: true, allowedPolicy: revokeAll(context) },
    },
  }
}

/** Any program on the device may register a custom scheme: PKCE is required there, also for clients with a secret. */
function hasOwnScheme(redirectUri: unknown): boolean {
  return !/^https?:$/.test(URL.parse(String(redirectUri))?.protocol ?? '')
}

/** Refuses unknown scopes, and expands the sdk scopes. */
function resolveScopes(ctx: KoaContextWithOIDC, { InvalidScope }: OidcLibrary): void {
  const parameters = ctx.oidc.params
  // The library has already removed unknown scopes from its own parameters.
  const sent = ctx.method === 'POST' ? ctx.oidc.body : ctx.query
  const requested = splitScopes(textOf(sent?.['scope']))
  const unknown = unknownScopes(requested)
  if (requested.length === 0) throw new InvalidScope('scope is required')
  if (unknown.length > 0) throw new InvalidScope(`unknown scope: ${describeUnknown(unknown)}`)
  const spare = impliedScopes(requested).map(({ name, by }) => `${name} comes with ${by}`)
  if (spare.length > 0)
    ctx.set('X-Emulator-Advice', headerText(`ask only for the scopes that are needed: ${spare.join(', ')}`))
  if (parameters !== undefined) parameters['scope'] = expandScopes(requested).join(' ')
}

function consentPolicy({ Check, Prompt }: OidcLibrary): interactionPolicy.Prompt[] {
  const always = new Check(
    'always_asked',
    'the player is asked at every request',
    (ctx) => !silent(ctx) && !answered(ctx),
  )
  const nobody = new Check(
    'nobody',
    'no player is signed in in this browser',
    'login_required',
    (ctx) => ctx.oidc.session?.accountId === undefined,
  )
  const missing = new Check(
    'not_granted',
    'the player has not granted these scopes yet',
    'interaction_required',
    (ctx) => !granted(ctx),
  )
  return [new Prompt({ name: 'consent', requestable: true }, always, nobody, missing)]
}

function silent(ctx: KoaContextWithOIDC): boolean {
  return ctx.oidc.prompts.has('none')
}

function answered(ctx: KoaContextWithOIDC): boolean {
  return ctx.oidc.result?.['consent'] !== undefined
}

function granted(ctx: KoaContextWithOIDC): boolean {
  const scopes = new Set(ctx.oidc.entities.Grant?.getOIDCScope().split(' '))
  return [...ctx.oidc.requestParamOIDCScopes].every((scope) => scopes.has(scope))
}
