/** Addresses of a service, with the SDK's defaults filled in. */
import type { ServiceOptions } from 'foyer-sdk'

export interface Addresses {
  authorizeUrl: string
  tokenUrl: string
  keysUrl: string
  revokeUrl: string
  deviceUrl: string
  issuer: string
}

export function addressesOf(service: ServiceOptions): Addresses {
  const host = service.host.replace(/\/$/, '')
  const {
    baseUrl = `${host}/api/v10`,
    authorizeUrl,
    tokenUrl,
    keysUrl,
    revokeUrl,
    deviceUrl,
    issuer,
  } = service
  return {
    authorizeUrl: authorizeUrl ?? `${host}/oauth2/authorize`,
    tokenUrl: tokenUrl ?? `${baseUrl}/oauth2/token`,
    keysUrl: keysUrl ?? `${baseUrl}/oauth2/keys`,
    revokeUrl: revokeUrl ?? `${baseUrl}/oauth2/token/revoke`,
    deviceUrl: deviceUrl ?? `${baseUrl}/oauth2/device/authorize`,
    issuer: issuer ?? host,
  }
}
