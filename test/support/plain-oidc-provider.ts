/** An OpenID Provider that is unrelated to the emulator: `oidc-provider` with its own pages, for clients and players of any id. */
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import { listen } from './loopback'

export interface PlainProviderOptions {
  /** Client id; a public one unless there is a secret. */
  clientId: string
  clientSecret?: string
  redirectUri: string
}

export interface PlainProvider {
  /** Issuer. */
  url: string
  close: () => Promise<void>
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export async function startPlainProvider({
  clientId,
  clientSecret,
  redirectUri,
}: PlainProviderOptions): Promise<PlainProvider> {
  const server = createServer()
  const { port, close } = await listen(server)
  const url = `http://127.0.0.1:${port}`
  const provider = new Provider(url, {
    clients: [
      {
        client_id: clientId,
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
        token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_basic',
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT],
        response_types: ['code'],
        redirect_uris: [redirectUri],
      },
    ],
    features: {
      devInteractions: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
    },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: () => true,
    clientBasedCORS: () => true,
    cookies: { keys: ['of-tests-only'] },
    pkce: { required: () => true },
  })
  const handle = provider.callback()
  server.on('request', (request, response) => void handle(request, response))
  return { url, close }
}
