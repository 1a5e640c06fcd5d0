/** Hands an address to the system browser, if it is one that a browser should get. */
import { shell } from 'electron'
import { ConfigurationError } from '../../foundation/errors'

/** RFC 8252 section 7.3. */
const LOOPBACK = /^(localhost|\[::1]|127(\.\d{1,3}){3})$/

/**
 * Opens `url`, which must lie where `expected` does. The system would also start programs: only `https:` goes through, and `http:` on
 * this machine.
 * @throws ConfigurationError `insecure_endpoint`. Rejects as `shell.openExternal` does where nothing opens it.
 */
export async function openExternal(url: string, expected: string): Promise<void> {
  if (!isWebPage(url) || new URL(url).origin !== new URL(expected).origin) throw new ConfigurationError('insecure_endpoint', 'browser')
  await shell.openExternal(url)
}

function isWebPage(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  return (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))) && !(username + password)
}
