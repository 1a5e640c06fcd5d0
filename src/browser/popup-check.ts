/** Finds out beside a popup what the popup itself cannot tell the game: no answer can come. Loaded with `popup-watch.ts`. */
import { isRecord } from '../foundation/encoding'
import { ConfigurationError, type FoyerError, NetworkError } from '../foundation/errors'
import { authorizationErrorFrom } from '../foundation/oauth-errors'

/** What the ready-made callback files carry. The number changes when the game and its callback page no longer understand each other. */
const MARK = /foyer-callback (\d+)/
const VERSION = '1'
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
const COPY = 'Copy callback.html and callback.js of this version of the SDK there'

export interface PopupCheck {
  /** The authorize URL that the popup shows. */
  url: string
  /** The callback page must be the ready-made one. */
  isReadyMade: boolean
  /** Aborts when the attempt has ended. */
  signal: AbortSignal
}

/** Why no answer can come; undefined where nothing is known to be wrong. Reads only what the popup will read too. */
export async function findFault(check: PopupCheck): Promise<FoyerError | undefined> {
  const faults = await Promise.all([findCallbackFault(check), findServiceFault(check)].map((search) => search.catch(() => undefined)))
  return check.signal.aborted ? undefined : faults.find((fault) => fault)
}

/** The page and its script; the script is in the browser's cache then, when the popup asks for it. */
async function findCallbackFault({ url: authorizeUrl, isReadyMade, signal }: PopupCheck): Promise<FoyerError | undefined> {
  const redirectUri = new URL(authorizeUrl).searchParams.get('redirect_uri') ?? ''
  const page = await readFile(redirectUri, signal)
  if (page.isMissing) return callbackFault(redirectUri, 'is not there')
  // A page of the game's own may load its script from anywhere.
  if (!MARK.test(page.text)) return isReadyMade ? callbackFault(redirectUri, 'is another page') : undefined
  const url = new URL('callback.js', redirectUri).href
  const script = await readFile(url, signal)
  const [, version] = MARK.exec(script.text) ?? []
  if (script.isMissing || !version) return callbackFault(url, 'is not there')
  return version === VERSION ? undefined : callbackFault(url, 'is of another version')
}

async function readFile(url: string, signal: AbortSignal): Promise<{ isMissing: boolean; text: string }> {
  const response = await fetch(url, { signal, credentials: 'same-origin' })
  return { isMissing: [404, 410].includes(response.status), text: await response.text() }
}

const callbackFault = (url: string, what: string): FoyerError =>
  new ConfigurationError('callback_unavailable', `${new URL(url).pathname} ${what}. ${COPY}`)

/** While a game is developed: whether the service runs, and would refuse the request with a page that tells the game nothing. */
async function findServiceFault({ url, signal }: PopupCheck): Promise<FoyerError | undefined> {
  const { hostname, origin, pathname, search } = new URL(url)
  // A page of another machine asks for nothing on the player's own.
  if (!LOOPBACK.test(hostname) || !LOOPBACK.test(location.hostname)) return undefined
  const request: RequestInit = { signal, credentials: 'omit', redirect: 'manual', referrerPolicy: 'no-referrer' }
  try {
    return await readRefusal(await fetch(`${origin}/.well-known/authorize-check${search}`, request))
  } catch {
    // It does not run, or lets no page of another origin read its answer.
    const isThere = await fetch(origin, { ...request, mode: 'no-cors' }).then(
      () => true,
      () => false,
    )
    return isThere ? undefined : new NetworkError('connection_failed', `GET ${pathname}. Nothing answers at ${origin}: start the emulator`)
  }
}

async function readRefusal(response: Response): Promise<FoyerError | undefined> {
  if (response.status < 400 || response.status > 403) return undefined
  const body: unknown = await response.json()
  if (!isRecord(body) || typeof body['error'] !== 'string') return undefined
  const { error, rule, error_description: description } = body
  const reason = [rule, description].find((text) => typeof text === 'string')
  return authorizationErrorFrom(error, typeof reason === 'string' ? reason : undefined)
}
