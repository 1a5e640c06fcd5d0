/** Limits the discovery document to what the service supports; the library also lists what it could be configured to do. */
import type { KoaContextWithOIDC } from 'oidc-provider'
import { fieldsOf, isObject } from '../foundation/type-guards.js'

const PATH = '/.well-known/openid-configuration'

/** Secrets are compared directly; signed assertions are not supported. */
const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post']
/** ID tokens contain no session id. */
const ABSENT_CLAIM = 'sid'

/** Response modes of an authorization code: always a redirect. */
const RESPONSE_MODES = ['query', 'fragment']

export async function correctDiscovery(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  if (ctx.path !== PATH || !isObject(ctx.body)) return
  const { token_endpoint_auth_signing_alg_values_supported: _, claims_supported: claims, ...document } = fieldsOf(ctx.body)
  ctx.body = {
    ...document,
    claims_supported: Array.isArray(claims) ? [...claims.filter((name) => name !== ABSENT_CLAIM), 'aud', 'exp', 'iat', 'nonce'] : claims,
    response_modes_supported: RESPONSE_MODES,
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  }
}
