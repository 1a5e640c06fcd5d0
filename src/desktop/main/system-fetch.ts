/** `fetch` of the main process: through Electron's network stack, which uses the proxy and the certificates of the system. */
import { app, net } from 'electron'
import type { MainClientOptions } from './main-client-options'

/** Error messages of Chromium, for example `net::ERR_CERT_AUTHORITY_INVALID`. */
const CHROMIUM_ERROR = /^net::(ERR_\w{1,60})/

/**
 * Waits for `ready`: the stack does not exist before. As in Node, a request brings no cookies of the app's windows and leaves nothing in
 * their cache, unless it asks for that.
 */
export const systemFetch: NonNullable<MainClientOptions['fetch']> = async (url, init) => {
  await app.whenReady()
  try {
    return await net.fetch(url, { credentials: 'omit', cache: 'no-store', ...init })
  } catch (error) {
    throw withCode(error)
  }
}

/** Errors of Electron's stack have their code in the message only. */
function withCode(error: unknown): unknown {
  const [, code] = CHROMIUM_ERROR.exec(error instanceof Error ? error.message : '') ?? []
  return code === undefined ? error : Object.assign(new Error(code), { code })
}
