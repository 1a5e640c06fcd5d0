/** Configuration of one deployment of the service: addresses, brand, expectations, and how the SDK names itself there. */
import { isSecure } from '../foundation/addresses'
import { ConfigurationError } from '../foundation/errors'
import { type Optional, requireNames } from '../foundation/options'
import { isProductionBuild, isPage } from '../foundation/platform'
import { isText, ownFields, withoutUndefined } from '../foundation/untrusted-values'
import type { Limits } from './limits'

/** A deployment of the service. All addresses are absolute; plain `http:` is accepted for loopback hosts only. */
export interface ServiceConfig {
  /** Origin of the service, without a path, for example `https://service.example`. No default. */
  host: string
  /** Root of the API. Default: `host + /api/v10` (docs/interface/README.md#addresses-and-versions). */
  baseUrl: string
  /** The page where a player allows or denies access. Default: `host + /oauth2/authorize`. */
  authorizeUrl: string
  /** Default: `baseUrl + /oauth2/token`. */
  tokenUrl: string
  /** Default: `baseUrl + /oauth2/token/revoke`. */
  revokeUrl: string
  /** Default: `baseUrl + /oauth2/device/authorize`. */
  deviceUrl: string
  /** The keys that sign ID tokens (RFC 7517). Default: `baseUrl + /oauth2/keys`. */
  keysUrl: string
  /** Root of the pictures' addresses, without a slash at the end, for example `https://cdn.service.example`. Default: `host`. */
  cdnUrl: string
  /** The `iss` of ID tokens and callbacks, compared exactly. Default: `host`. */
  issuer: string
  /** Policy for callbacks without `iss` (RFC 9207 section 2.4): `required` rejects them. Default: `optional`. */
  issuerInCallback: 'optional' | 'required'
  /** Allowed origins of an Activity's host window, for example `['https://service.example']`. Default: `host`; for a service on this machine every local origin. */
  activityOrigins?: readonly string[] | undefined
  /** Name that the service uses in its URL schemes and header names. Default: `service`. */
  brand: string
  /**
   * Host names that may use plain `http:` beside this machine, for example `['emulator']` in a network of containers. For development only: a
   * production build refuses them as `insecure_endpoint`. Default: none.
   */
  developmentHosts?: readonly string[] | undefined
  /** Limits that differ from those of the interface (docs/interface/rate-limits.md#limits), by bucket or by route. */
  limits?: Optional<Limits> | undefined
}

/** Default time-out in ms of requests about tokens and accounts. */
export const TOKEN_TIMEOUT = 10_000

/** Without a path, to which the paths of the consent page and the issuer could be appended by mistake. */
const ORIGIN = /^https?:\/\/[^/?\\*]+$/i
const NO_PATH = "Origins have no path and no slash at the end. Give the API's root as service.baseUrl"

/** Settings that a game gives for its service: the host, and any value that differs from the defaults. */
export type ServiceOptions = Pick<ServiceConfig, 'host'> & Optional<Omit<ServiceConfig, 'host'>>

/**
 * Fills in the defaults, checks every address and freezes the result, so that later code cannot redirect a sign-in.
 * @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument` for a misspelt option, a host with a path and
 * an entry of `activityOrigins` that is no origin.
 */
export function createServiceConfig(options: ServiceOptions | null | undefined): Readonly<ServiceConfig> {
  const given = withoutUndefined(options)
  if (!isText(given.host, /./)) throw new ConfigurationError('missing_service_host')
  const host = given.host.replace(/\/$/, '')
  const { baseUrl = `${host}/api/v10` } = given
  const own = { host, baseUrl }
  // These two come first, so that an invalid address is reported under the option that the game set.
  const defaults = {
    ...own,
    authorizeUrl: `${host}/oauth2/authorize`,
    tokenUrl: `${baseUrl}/oauth2/token`,
    revokeUrl: `${baseUrl}/oauth2/token/revoke`,
    deviceUrl: `${baseUrl}/oauth2/device/authorize`,
    keysUrl: `${baseUrl}/oauth2/keys`,
    cdnUrl: host,
    issuer: host,
    issuerInCallback: 'optional',
    brand: 'service',
  } satisfies ServiceConfig
  requireNames(given, [...Object.keys(defaults), 'activityOrigins', 'developmentHosts', 'limits'], 'service.')
  const service = ownFields<ServiceConfig>({ ...defaults, ...given, ...own })
  const hosts = developmentHosts(service)
  for (const [field, address] of Object.entries(service))
    if (/^host|Url$/.test(field) && !isAccepted(address, hosts))
      throw new ConfigurationError('insecure_endpoint', `service.${field}`)
  const origins: readonly unknown[] = [host, ...(service.activityOrigins ?? [])]
  if (!origins.every((each) => isText(each, ORIGIN) && isAccepted(each, hosts)))
    throw new ConfigurationError('invalid_argument', 'service.host, activityOrigins', { remedy: NO_PATH })
  return Object.freeze(service)
}

/** @throws ConfigurationError `insecure_endpoint` in a production build; `invalid_argument`. */
function developmentHosts({ developmentHosts: hosts = [] }: ServiceConfig): readonly string[] {
  if (!Array.isArray(hosts) || !hosts.every((host) => isText(host, /^[\w.-]+$/)))
    throw new ConfigurationError('invalid_argument', 'service.developmentHosts', {
      remedy: "List host names, for example ['emulator']",
    })
  if (hosts.length > 0 && isProductionBuild())
    throw new ConfigurationError('insecure_endpoint', 'service.developmentHosts', {
      remedy: 'Leave them out of production builds',
    })
  return hosts
}

/** `https:` anywhere, `http:` on this machine and on hosts for development only; no credentials, no fragment. */
function isAccepted(address: string, hosts: readonly string[]): boolean {
  try {
    const url = new URL(address)
    const isForDevelopment = url.protocol === 'http:' && hosts.includes(url.hostname)
    return (isSecure(url) || isForDevelopment) && !(url.username + url.password + url.hash)
  } catch {
    return false
  }
}

// The `User-Agent` header, in the format that the service requires of libraries (docs/interface/README.md#requests).

/** Version of the package; a test compares it with package.json. */
const VERSION = '0.1.0'
const URL_OF_PACKAGE = 'https://www.npmjs.com/package/foyer-sdk'

/**
 * `ServiceBot (https://…, 0.1.0)`, with the deployment's brand. Undefined in a page: Firefox and WebKit would ask for the header in a
 * preflight, and the service's list of allowed headers does not contain it.
 */
export function userAgent(brand: string): string | undefined {
  return isPage() ? undefined : `${capitalized(brand)}Bot (${URL_OF_PACKAGE}, ${VERSION})`
}

/** The brand in the form used in header names: `X-Service-Locale`. */
export function capitalized(brand: string): string {
  return brand.slice(0, 1).toUpperCase() + brand.slice(1)
}
