/** Detects from outside the popup that no response can arrive. Loaded with `watch-popup.ts`. */
import { ConfigurationError, type FoyerError } from '../foundation/errors'
import type { findLocalServiceFault } from './find-local-service-fault'

/** Tag in the ready-made callback files. The number changes with every incompatible change of the callback messages. */
export const TAG = /foyer-callback (\d+)/
const VERSION = '1'
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
const COPY = 'Copy callback.html and callback.js of this version of the SDK there'

export interface PopupCheck {
  /** Authorize URL of the popup. */
  url: string
  /** The ready-made callback page is expected. */
  isReadyMade: boolean
  /** Aborts when the attempt has ended. */
  signal: AbortSignal
  /** Loads the check of a service on this machine. The page's own file imports it; see `CallbackContext`. */
  loadLocalCheck: () => Promise<{ findLocalServiceFault: typeof findLocalServiceFault }>
}

/** Returns the reason that no response can arrive, or undefined if none was found. Fetches only files that the popup will fetch too. */
export async function findFault(check: PopupCheck): Promise<FoyerError | undefined> {
  const faults = await Promise.all([findCallbackFault(check), findServiceFault(check)].map((search) => search.catch(() => undefined)))
  return check.signal.aborted ? undefined : faults.find((fault) => fault)
}

/** Checks page and script. The popup then loads the script from the HTTP cache. */
async function findCallbackFault({ url: authorizeUrl, isReadyMade, signal }: PopupCheck): Promise<FoyerError | undefined> {
  const redirectUri = new URL(authorizeUrl).searchParams.get('redirect_uri') ?? ''
  const url = new URL('callback.js', redirectUri).href
  const readScript = () => readFile(url, signal)
  // At the same time: the popup needs the script shortly after the page.
  const pending = isReadyMade ? readScript() : undefined
  pending?.catch(() => undefined)
  const page = await readFile(redirectUri, signal)
  if (page.isMissing) return callbackFault(redirectUri, 'is not there')
  // A custom callback page may load its script from anywhere.
  if (!TAG.test(page.text)) return isReadyMade ? callbackFault(redirectUri, 'is another page') : undefined
  const script = await (pending ?? readScript())
  const [, version] = TAG.exec(script.text) ?? []
  if (script.isMissing || !version) return callbackFault(url, 'is not there')
  return version === VERSION ? undefined : callbackFault(url, 'is of another version')
}

async function readFile(url: string, signal: AbortSignal): Promise<{ isMissing: boolean; text: string }> {
  const response = await fetch(url, { signal, credentials: 'same-origin' })
  return { isMissing: [404, 410].includes(response.status), text: await response.text() }
}

/** `what` completes a sentence that begins with the path of the file. */
export const callbackFault = (url: string, what: string): FoyerError =>
  new ConfigurationError('callback_unavailable', `${new URL(url).pathname} ${what}. ${COPY}`)

/** During development: checks that the service runs and accepts the request. Its error page would not reach the game. */
async function findServiceFault(check: PopupCheck): Promise<FoyerError | undefined> {
  // Pages of other machines must not send requests to the player's own machine.
  if (!LOOPBACK.test(new URL(check.url).hostname) || !LOOPBACK.test(location.hostname)) return undefined
  return (await check.loadLocalCheck()).findLocalServiceFault(check)
}
