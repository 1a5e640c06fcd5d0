/** Keeps the discovery document to what the service does: the library also lists what it could be configured to do. */
import type { KoaContextWithOIDC } from 'oidc-provider'
import { fieldsOf, isObject } from '../foundation/decode.js'

const path = '/.well-known/openid-configuration'

/** The secret is compared as it is; nothing reads a signed assertion. */
const authMethods = ['none', 'client_secret_basic', 'client_secret_post']
/** An ID token does not name the session. */
const absentClaim = 'sid'

/** Of an authorization code: the answer is always a redirect. */
const responseModes = ['query', 'fragment']

export async function correctDiscovery(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  if (ctx.path !== path || !isObject(ctx.body)) return
  const { token_endpoint_auth_signing_alg_values_supported: _, claims_supported: claims, ...document } = fieldsOf(ctx.body)
  ctx.body = {
    ...document,
    claims_supported: Array.isArray(claims) ? [...claims.filter((name) => name !== absentClaim), 'aud', 'exp', 'iat', 'nonce'] : claims,
    response_modes_supported: responseModes,
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
  }
}
