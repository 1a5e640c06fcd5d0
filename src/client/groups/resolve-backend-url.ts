/** Origins that may receive a player's token. */
import { readUrl } from '../../shared/foundation/untrusted-values'
import { isLoopback, isSecure } from '../../shared/foundation/addresses'
import { ConfigurationError } from '../../shared/foundation/errors'

const REMEDY = "Name the backend in the client's options: backendOrigins: ['https://game.example']"

/** @throws ConfigurationError `insecure_endpoint`, `invalid_argument` for an entry that is more than an origin. */
export function allowedOrigins(given: readonly string[] = []): readonly string[] {
  if (!Array.isArray(given)) throw new ConfigurationError('invalid_argument', 'backendOrigins: a list')
  return given.map((entry, index) => {
    const url = readUrl(entry)
    if (!url || (url.origin !== entry && `${url.origin}/` !== entry))
      throw new ConfigurationError('invalid_argument', `backendOrigins[${index}]`, { remedy: REMEDY })
    if (!isSecure(url)) throw new ConfigurationError('insecure_endpoint', `backendOrigins[${index}]`)
    return url.origin
  })
}

/**
 * Returns the absolute URL of a request, which must be of one of the origins. A path belongs to the first origin.
 *
 * @throws ConfigurationError `invalid_argument`. The message does not quote the URL, which may hold personal data.
 */
export function resolveBackendUrl(url: string, origins: readonly string[]): string {
  const [first] = origins
  const target = readUrl(url, first)
  if (!target || !origins.includes(target.origin) || target.username + target.password !== '')
    throw new ConfigurationError('invalid_argument', 'url: of an origin in backendOrigins', {
      remedy: REMEDY,
    })
  return target.href
}

/** Returns the origin of a service on this machine: the emulator takes the player's token there, as in every call of its API. */
export function localServiceOrigin(host: string): string | undefined {
  const url = readUrl(host)
  return url && isLoopback(url.hostname) ? url.origin : undefined
}

/** True if the URL is of one of the origins. */
export const isOfOrigin = (url: string, origins: readonly (string | undefined)[]): boolean =>
  origins.includes(readUrl(url)?.origin ?? '')
