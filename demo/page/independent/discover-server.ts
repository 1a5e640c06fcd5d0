/** Metadata of the issuer for oauth4webapi: its discovery document, or the addresses of the settings where there is none. */
import * as oauth from 'oauth4webapi'
import type { Addresses } from '../game/addresses-of'

interface DiscoveredServer {
  server: oauth.AuthorizationServer
  /** Findings about the settings. */
  notes: string[]
}

/** Algorithms that Foyer accepts too. */
const ALGORITHMS = ['RS256', 'ES256']

/** @throws the errors of oauth4webapi for a document with a fault. */
export async function discoverServer(
  addresses: Addresses,
  options: oauth.DiscoveryRequestOptions,
): Promise<DiscoveredServer> {
  const issuer = new URL(addresses.issuer)
  const response = await oauth
    .discoveryRequest(issuer, { ...options, algorithm: 'oidc' })
    .catch(() => undefined)
  if (response?.status !== 200 || !/json/.test(response.headers.get('content-type') ?? ''))
    return {
      server: fromAddresses(addresses),
      notes: [
        'The issuer has no discovery document that this page may read, so the addresses of the settings were used.',
      ],
    }
  const server = await oauth.processDiscoveryResponse(issuer, response)
  return { server, notes: findDifferences(server, addresses) }
}

function fromAddresses({
  issuer,
  authorizeUrl,
  tokenUrl,
  keysUrl,
  revokeUrl,
  deviceUrl,
}: Addresses): oauth.AuthorizationServer {
  return {
    issuer,
    authorization_endpoint: authorizeUrl,
    token_endpoint: tokenUrl,
    jwks_uri: keysUrl,
    revocation_endpoint: revokeUrl,
    device_authorization_endpoint: deviceUrl,
    id_token_signing_alg_values_supported: ALGORITHMS,
  }
}

function findDifferences(
  server: oauth.AuthorizationServer,
  { authorizeUrl, tokenUrl, keysUrl }: Addresses,
): string[] {
  const pairs: [name: string, published: string | undefined, typed: string][] = [
    ['authorize URL', server.authorization_endpoint, authorizeUrl],
    ['token URL', server.token_endpoint, tokenUrl],
    ['keys URL', server.jwks_uri, keysUrl],
  ]
  const notes = pairs
    .filter(([, published, typed]) => published !== typed)
    .map(
      ([name, published]) =>
        `The settings have another ${name} than the issuer publishes: ${published ?? 'none'}.`,
    )
  const methods = server.code_challenge_methods_supported
  if (methods && !methods.includes('S256'))
    notes.push('The issuer does not list S256, the only PKCE method that Foyer uses.')
  const algorithms = server.id_token_signing_alg_values_supported
  if (algorithms && !algorithms.some((one) => ALGORITHMS.includes(one)))
    notes.push(
      `The issuer signs ID tokens with ${algorithms.join(', ')}; Foyer accepts ${ALGORITHMS.join(' and ')}.`,
    )
  return notes
}
