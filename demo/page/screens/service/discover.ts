/** OpenID Connect discovery: fills in the addresses of a service from its issuer (OpenID Connect Discovery 1.0, section 4). */
import type { ServiceSettings } from '../../game/service-settings'

/** Fields that a discovery document has. */
type Discovered = Pick<
  ServiceSettings,
  'authorizeUrl' | 'tokenUrl' | 'keysUrl' | 'issuer' | 'revokeUrl' | 'deviceUrl'
>

/** Failure of a discovery, in words for the person at the page. */
class DiscoveryError extends Error {
  override readonly name = 'DiscoveryError'
}

const FIELDS = {
  authorizeUrl: 'authorization_endpoint',
  tokenUrl: 'token_endpoint',
  keysUrl: 'jwks_uri',
  issuer: 'issuer',
  revokeUrl: 'revocation_endpoint',
  deviceUrl: 'device_authorization_endpoint',
} as const

/** @throws DiscoveryError if there is no usable document. */
export async function discover(host: string): Promise<Discovered> {
  const url = `${host.endsWith('/') ? host.slice(0, -1) : host}/.well-known/openid-configuration`
  const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' }).catch(() => {
    throw new DiscoveryError(
      `No answer from ${url}. Is the service running, and does it allow this origin (CORS)?`,
    )
  })
  if (!response.ok)
    throw new DiscoveryError(
      `${url} answers ${response.status}: this service has no discovery document. Enter its addresses.`,
    )
  const document: unknown = await response.json().catch(() => undefined)
  return readDocument(document, url)
}

function readDocument(document: unknown, url: string): Discovered {
  const found = new Map<string, unknown>(
    typeof document === 'object' && document !== null ? Object.entries(document) : [],
  )
  const readOptional = (field: keyof typeof FIELDS): string => {
    const value = found.get(FIELDS[field])
    return typeof value === 'string' && URL.canParse(value) ? value : ''
  }
  const read = (field: keyof typeof FIELDS): string => {
    const value = readOptional(field)
    if (value === '') throw new DiscoveryError(`${url} has no ${FIELDS[field]}. Enter the addresses.`)
    return value
  }
  return {
    authorizeUrl: read('authorizeUrl'),
    tokenUrl: read('tokenUrl'),
    keysUrl: read('keysUrl'),
    issuer: read('issuer'),
    revokeUrl: readOptional('revokeUrl'),
    deviceUrl: readOptional('deviceUrl'),
  }
}
