/** Requests to the session handler of the game's backend. Only they bring its cookie. */
import { readUrl } from '../../../shared/foundation/untrusted-values'
import { isSecure, withoutEndSlashes } from '../../../shared/foundation/addresses'
import { loadAfterConsent } from '../../context/capabilities'
import type { ResolvedOptions } from '../../context/client-options'
import type { SessionBackend } from './session-backend'
import { tokenErrorFrom } from '../../../shared/foundation/oauth-errors'
import type { Log } from '../../../shared/foundation/log-entry'
import { ApiError, ConfigurationError, FoyerError } from '../../../shared/foundation/errors'
import type { ReceivedResponse } from '../../../shared/tokens/requests/token-endpoint'
import type { Fetch } from '../../../shared/http/fetch-unfollowed'
import { relayKept } from './kept-tokens'

const OPTION = 'backendSession'
const ADDRESS = "Give '/session', or 'https://game.example/session'"
const ELSEWHERE = 'No createSessionHandler answers there: give its address and its path'
const REDIRECTED =
  'The host redirects it: give the address without a redirect, and turn off those to a slash at the end (skipTrailingSlashRedirect in Next.js)'
const CONSUMED = 'Put createSessionHandler before the body parser of the backend, such as express.json()'
const FAILED =
  'The backend failed before createSessionHandler could answer, and its log has the reason. In Node, Express and Koa the handler goes through toNodeListener(…)'
const FOREIGN = 'List the origin of this page in the origins of createSessionHandler'

/** @throws ConfigurationError `invalid_argument`, `insecure_endpoint`. */
export function connectBackend(options: ResolvedOptions, log: Log, closeSignal: AbortSignal): SessionBackend {
  const address = addressOf(options.backendSession)
  options.fetch = relayKept(options, address)
  return {
    origin: address.origin,
    signingIn: Promise.resolve(),
    signOuts: 0,
    async post(name, body, signal) {
      const url = `${address.href}/${name}`
      const route = `POST ${address.pathname}/${name}`
      const content = { type: 'application/json', text: JSON.stringify(body) }
      const { TokenClient } = await loadAfterConsent()
      const withCookie = new TokenClient({ ...options, fetch: bringCookie(options.fetch) }, log, closeSignal)
      // A host that has no such path answers with a page.
      const request = { method: 'POST', url, route, content, signal, isStatusEnough: true } as const
      const response = await withCookie.send(request).catch((error: unknown) => {
        throw isRedirect(error) ? wrongAddress(REDIRECTED) : error
      })
      const receivedAt = options.clock.now()
      const isFromHandler = Object.keys(response.body).length > 0
      if (isFromHandler && response.status === 200)
        return response.body['user_id'] === null ? null : { response, receivedAt }
      if (isFromHandler && response.status === 401 && name !== 'sign-in') return null
      const remedy = remedyFor(response)
      if (remedy) throw wrongAddress(remedy)
      if (!isFromHandler && response.status === 500)
        throw new ApiError('http_500', route, { status: 500, remedy: FAILED })
      throw tokenErrorFrom({ ...response, route })
    },
    async requireCookie(signal) {
      if ((await this.post('token', { ask: true }, signal).catch(() => undefined)) === null)
        throw lostCookie(address.hostname)
    },
  }
}

const isRedirect = (error: unknown): boolean => error instanceof FoyerError && error.code === 'redirected'

const wrongAddress = (remedy: string): ConfigurationError =>
  new ConfigurationError('invalid_argument', OPTION, { remedy })

function remedyFor({ status, body }: ReceivedResponse['response']): string | undefined {
  if (body['error'] === 'foreign_origin') return FOREIGN
  if (body['error'] === 'body_consumed') return CONSUMED
  return [200, 404, 405].includes(status) ? ELSEWHERE : undefined
}

/** The address without a slash at the end. */
function addressOf(option: string | undefined): URL {
  const given = withoutEndSlashes(`${option}`)
  const url = given ? readUrl(given, pageAddress().href) : undefined
  if (!url) throw wrongAddress(ADDRESS)
  requireSameSite(url)
  if (!isSecure(url)) throw new ConfigurationError('insecure_endpoint', OPTION)
  return url
}

/**
 * Browsers keep no cookie of another site. Hosts that differ in their last two labels are of two sites. Of others, such as two of `co.uk` or `github.io`,
 * no list is at hand, and `requireCookie` finds out.
 */
function requireSameSite({ hostname }: URL): void {
  const { protocol = '', hostname: page = '' } = pageAddress()
  if (/^https?:$/.test(protocol) && siteOf(page) !== siteOf(hostname)) throw lostCookie(hostname)
}

const pageAddress = (): Partial<Location> => (typeof location === 'object' ? location : {})

function lostCookie(backend: string): ConfigurationError {
  const { hostname: page = backend } = pageAddress()
  const hosts =
    page === backend ? `Page and backend are on ${page}` : `The page is on ${page}, the backend on ${backend}`
  return wrongAddress(
    `${hosts}, and the browser keeps no cookie of it: use one host name, or a path of it, let proxies pass Cookie and Set-Cookie, and give several processes one store`,
  )
}

const siteOf = (host: string): string => (/[a-z]/i.test(host) ? host.split('.').slice(-2).join('.') : host)

const bringCookie =
  (fetch: Fetch): Fetch =>
  (url, init) =>
    // An opaque redirect is told from a backend that cannot be reached, and is not followed.
    fetch(url, { ...init, credentials: 'include', keepalive: true, redirect: 'manual' })
