/** Accepts the application as a public client, and as a confidential one when it sends its secret. */
import type { Client, Provider } from 'oidc-provider'
import { sameSecret } from '../foundation/credentials.js'

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
export function acceptSecret(client: Client, { current, clientSecret, publicClient }: Secret): void {
  const sendsSecret = () => {
    const ctx = current()
    return ctx !== undefined && (ctx.headers.authorization !== undefined || ctx.oidc.params?.['client_secret'] !== undefined)
  }
  Object.defineProperties(client, {
    clientAuthMethod: { get: () => (sendsSecret() || !publicClient ? 'client_secret_post' : 'none') },
    compareClientSecret: { value: (given: string) => sameSecret(given, clientSecret) },
  })
}
