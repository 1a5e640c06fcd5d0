/** Opens allowed URLs in the system browser. */
import { shell } from 'electron'
import { ConfigurationError } from '../../shared/foundation/errors'

/** Loopback hosts (RFC 8252 section 7.3). */
const LOOPBACK = /^(localhost|\[::1]|127(\.\d{1,3}){3})$/

/**
 * Opens `url`, which must have the origin of `expected`. The system could also start programs, so only `https:` is allowed, and `http:` on
 * loopback hosts.
 *
 * @throws ConfigurationError `insecure_endpoint`. Rejects like `shell.openExternal` if nothing can open it.
 */
export async function openExternal(url: string, expected: string): Promise<void> {
  if (!isWebPage(url) || new URL(url).origin !== new URL(expected).origin)
    throw new ConfigurationError('insecure_endpoint', 'browser')
  await shell.openExternal(url)
}

function isWebPage(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  return (
    (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))) && !(username + password)
  )
}
