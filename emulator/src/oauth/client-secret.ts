/** Lets the one application act as a public client, and as a confidential one whenever it sends its secret. */
import type { Client, Provider } from 'oidc-provider'
import { sameSecret } from '../foundation/secrets.js'

interface Secret {
  /** Reads the request that the library is working on. */
  current: () => typeof Provider.ctx
  clientSecret: string
}

/** A game's page sends its client id alone, its backend also the secret (form field or Basic); the library knows one way per client. */
export function acceptSecret(client: Client, { current, clientSecret }: Secret): void {
  const sendsSecret = () => {
    const ctx = current()
    return ctx !== undefined && (ctx.headers.authorization !== undefined || ctx.oidc.params?.['client_secret'] !== undefined)
  }
  Object.defineProperties(client, {
    clientAuthMethod: { get: () => (sendsSecret() ? 'client_secret_post' : 'none') },
    compareClientSecret: { value: (given: string) => sameSecret(given, clientSecret) },
  })
}
