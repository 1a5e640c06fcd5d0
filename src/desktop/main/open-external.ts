/** Opens allowed URLs in the system browser. */
import { isSecure } from '../../shared/foundation/addresses'
import { shell } from 'electron'
import { ConfigurationError } from '../../shared/foundation/errors'

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
  const page = new URL(url)
  return isSecure(page) && !(page.username + page.password)
}
