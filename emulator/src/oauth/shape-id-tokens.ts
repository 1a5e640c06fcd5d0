/** Rules of ID tokens: when the authorization server issues them, and their claims. */
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Clock } from '../foundation/clock.js'
import type { IdTokenBehavior } from '../context/id-token-behavior.js'
import { isObject } from '../foundation/type-guards.js'
import { CLAIM_NAMES } from '../auth/claims-of.js'

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
export function shapeIdTokens(provider: Provider, clock: Clock, { names }: IdTokenBehavior): void {
  const model: object = provider.IdToken.prototype
  const payload: unknown = Reflect.get(model, 'payload')
  if (typeof payload !== 'function') throw new TypeError('the authorization server library makes its ID tokens differently now')
  Object.defineProperty(model, 'payload', {
    async value(this: object) {
      const claims: unknown = await payload.call(this)
      const kept = isObject(claims) ? Object.entries(claims).filter(([name]) => names || !personal.has(name)) : []
      return { iat: clock.seconds(), ...Object.fromEntries(kept) }
    },
  })
}

/** Removes the ID token from a token response in which the service has none. */
export function withholdIdToken(ctx: KoaContextWithOIDC, { onRefresh, forEveryGrant }: IdTokenBehavior): void {
  const { body } = ctx
  if (!isObject(body)) return
  const { grant_type: grant } = { ...ctx.oidc.params }
  const isKept = grant === 'refresh_token' ? onRefresh : forEveryGrant || isExchangeOfPage(ctx)
  if (!isKept) delete body['id_token']
}

/** A code that a page redeems: no secret, no merge, and no URL scheme of an installed game. */
function isExchangeOfPage({ oidc, headers }: KoaContextWithOIDC): boolean {
  const { grant_type: grant, client_secret: secret, external_auth_type: merge, redirect_uri: redirectUri } = { ...oidc.params }
  if (grant !== 'authorization_code' || merge !== undefined || secret !== undefined || headers.authorization !== undefined) return false
  return redirectUri === undefined || (typeof redirectUri === 'string' && /^https?:/.test(redirectUri))
}
