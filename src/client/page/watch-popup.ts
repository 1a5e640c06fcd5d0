/** Watches an open popup: detects that the player closed it, or that no response can arrive, from what the host answers. Loaded with the first popup. */
import type { Clock } from '../../shared/foundation/clock'
import { AuthorizationError, type FoyerError, ConfigurationError } from '../../shared/foundation/errors'
import { deleteAttempt, writeRecord } from './stored-attempt'
import { pageOrigin } from './redirect-address'
import { isLoopback } from '../../shared/foundation/addresses'
import type { findLocalServiceFault } from './local-service-fault'
import { probeCallback, type Arrival } from './probe-callback'

export { toRegisteredUrl } from './probe-callback'

/** Polling interval of `closed` in ms. */
const POLL_INTERVAL = 500
/** Time in ms that the popup must appear closed before the attempt fails. */
const CLOSED_TIMEOUT = 10_000
/** Time in ms for a loaded callback page to send the response: the ready-made one, and one of the game's own, which may be large. */
const SILENCE = { readyMade: 10_000, own: 30_000 }

interface WatchOptions extends PopupCheck {
  clock: Clock
  /** State of the attempt. */
  state: string
  /** Called when the window first appears closed. */
  maybeClosed: () => void
  /** Called when no response can arrive. */
  fail: (error: FoyerError) => void
}

/** Watches until the signal aborts. */
export function watchPopup(popup: Window, options: WatchOptions): void {
  const { signal, fail, isReadyMade, state, clock } = options
  if (signal.aborted) return
  const stopWatching = watchClosed(popup, options)
  // A page of the game at the redirect URI hands the response over if it finds this record.
  if (!isReadyMade) writeRecord(state, { isPopup: true, begun: clock.now() })
  signal.addEventListener('abort', () => {
    stopWatching()
    if (!isReadyMade) deleteAttempt(state)
  })
  void findFault(options).then((fault) => fault && fail(fault))
}

/**
 * Polls `closed`, which is only a hint: it is always true if a policy has put the window into another group. Therefore the attempt fails only
 * after ten seconds during which the game had focus, and in an isolated page only if a foreign page was seen in the window, which is in the
 * same group then.
 */
function watchClosed(popup: Window, options: WatchOptions): () => void {
  const { clock, maybeClosed, fail, isReadyMade } = options
  let closedFor = 0
  let silentFor = 0
  let isInGroup = !window.crossOriginIsolated
  let cancel: () => void
  const poll = () => {
    if (!popup.closed) closedFor = 0
    else if (!closedFor) maybeClosed()
    if (popup.closed && (!closedFor || document.hasFocus())) closedFor += POLL_INTERVAL
    isInGroup ||= showsForeignPage(popup)
    if (closedFor > CLOSED_TIMEOUT && isInGroup) fail(new AuthorizationError('window_closed'))
    else schedule()
    const hasArrived = showsArrival(popup, options)
    silentFor = hasArrived ? silentFor + POLL_INTERVAL : 0
    if (silentFor > SILENCE[isReadyMade ? 'readyMade' : 'own']) fail(silenceFault(options))
    if (isReadyMade && hasArrived) void reportShownFault(popup, options).catch(() => undefined)
  }
  const schedule = () => {
    cancel = clock.after(POLL_INTERVAL, poll)
  }
  schedule()
  return () => cancel()
}

/** True for a window that is open and shows a page of another origin, which cannot be read. */
function showsForeignPage(popup: Window): boolean {
  try {
    return !popup.document
  } catch {
    return !popup.closed
  }
}

/** True once a page of the game has loaded in the popup. Pages of other origins cannot be read. */
function showsArrival(popup: Window, { url }: WatchOptions): boolean {
  try {
    const { location: shown, document: page } = popup
    const isService =
      new URL(url).origin === shown.origin && shown.pathname !== new URL(redirectUriOf(url)).pathname
    return shown.origin === pageOrigin() && page.readyState === 'complete' && !isService
  } catch {
    return false
  }
}

const redirectUriOf = (authorizeUrl: string): string =>
  new URL(authorizeUrl).searchParams.get('redirect_uri') ?? ''

function silenceFault({ url }: WatchOptions): FoyerError {
  return arrivalFault(
    redirectUriOf(url),
    'has arrived in the window and sends nothing: its script fails (see its console), or your own page lacks relayCallback()',
  )
}

/** Returns the error for a callback page that arrived without a response. */
export function lostQueryFault(authorizeUrl: string): FoyerError {
  return arrivalFault(
    redirectUriOf(authorizeUrl),
    'has arrived without its query, the response: a redirect or a service worker drops it',
  )
}

/** Loaded only when the popup shows a page of this origin. */
async function reportShownFault(popup: Window, options: WatchOptions): Promise<void> {
  const fault = await findShownFault(popup, options)
  if (fault) options.fail(fault)
}

/** ms between two looks: a callback page of the game's own may just have replaced its content. */
const PAUSE = 500

/** Resolves with the fault although requests of the file return the right page: a service worker may answer navigations with the game. */
async function findShownFault(
  popup: Window,
  { url, clock }: { url: string; clock: Clock },
): Promise<FoyerError | undefined> {
  const redirectUri = new URL(url).searchParams.get('redirect_uri') ?? ''
  if (!showsOtherPage(popup, redirectUri)) return undefined
  await new Promise<void>((resolve) => void clock.after(PAUSE, resolve))
  if (!showsOtherPage(popup, redirectUri)) return undefined
  return arrivalFault(
    redirectUri,
    'shows another page in the window: keep service workers (navigateFallback) away from it, with its query',
  )
}

/** Pages of other origins cannot be read, nor can a closed window. */
function showsOtherPage(popup: Window, redirectUri: string): boolean {
  try {
    const { location: shown, document: page } = popup
    const isThere = page.readyState === 'complete' && shown.origin + shown.pathname === redirectUri
    return isThere && !TAG.test(new XMLSerializer().serializeToString(page))
  } catch {
    return false
  }
}

/** Tag in the ready-made callback files. The number changes with every incompatible change of the callback messages. */
const TAG = /foyer-callback (\d+)/
const VERSION = '1'
const COPY = 'Copy callback.html and callback.js of this version of the SDK there'

interface PopupCheck {
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
async function findFault(check: PopupCheck): Promise<FoyerError | undefined> {
  const faults = await Promise.all(
    [findCallbackFault(check), findServiceFault(check)].map((search) => search.catch(() => undefined)),
  )
  return check.signal.aborted ? undefined : faults.find((fault) => fault)
}

/** Checks page and script. The popup then loads the script from the HTTP cache. */
async function findCallbackFault({
  url: authorizeUrl,
  isReadyMade,
  signal,
}: PopupCheck): Promise<FoyerError | undefined> {
  const redirectUri = new URL(authorizeUrl).searchParams.get('redirect_uri') ?? ''
  const beside = new URL('callback.js', redirectUri)
  // At the same time: the popup needs the script shortly after the page.
  const pending = isReadyMade ? loadScript(beside, signal) : undefined
  pending?.catch(() => undefined)
  const page = await probeCallback(redirectUri, signal)
  if (!page)
    return arrivalFault(
      redirectUri,
      'is redirected to another origin, or in a circle. Turn that redirect off',
    )
  if ([404, 410].includes(page.status)) return callbackFault(redirectUri, 'is not there', { isReadyMade })
  const fault = findPageFault(page)
  if (fault) return arrivalFault(redirectUri, fault)
  // A custom callback page may load its script from anywhere.
  if (!TAG.test(page.text))
    return isReadyMade ? callbackFault(redirectUri, 'is another page', { isReadyMade }) : undefined
  const tagFault = findTagFault(page.text)
  if (tagFault) return arrivalFault(redirectUri, tagFault)
  const address = scriptAddress(page)
  return findScriptLoadFault(
    address,
    await (pending && address.href === beside.href ? pending : loadScript(address, signal)),
  )
}

function findScriptLoadFault({ href }: URL, { status, headers, text }: LoadedScript): FoyerError | undefined {
  const [, version] = TAG.exec(text) ?? []
  if ([404, 410].includes(status) || !version) return callbackFault(href, 'is not there')
  const fault = findScriptFault(headers)
  if (fault) return arrivalFault(href, fault)
  return version === VERSION ? undefined : callbackFault(href, 'is of another version')
}

interface LoadedScript {
  status: number
  headers: Headers
  text: string
}

async function loadScript(url: URL, signal: AbortSignal): Promise<LoadedScript> {
  const response = await fetch(url, { signal, credentials: 'same-origin' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** `what` completes a sentence that begins with the path of the file, and contains the remedy. */
const arrivalFault = (url: string, what: string): FoyerError =>
  new ConfigurationError('callback_unavailable', `${new URL(url).pathname} ${what}`)

/** A page in a folder, as of a route such as `/lobby/42`, looks for the callback page there. */
function callbackFault(
  url: string,
  what: string,
  { isReadyMade }: { isReadyMade?: boolean } = {},
): FoyerError {
  const isInFolder = isReadyMade && new URL(url).pathname !== '/callback.html'
  const elsewhere = isInFolder
    ? ". If they are at another address, name it: redirectUri: '/callback.html'"
    : ''
  return arrivalFault(url, `${what}. ${COPY}${elsewhere}`)
}

/** During development: checks that the service runs and accepts the request. Its error page would not reach the game. */
async function findServiceFault(check: PopupCheck): Promise<FoyerError | undefined> {
  // Pages of other machines must not send requests to the player's own machine.
  if (!isLoopback(new URL(check.url).hostname) || !isLoopback(location.hostname)) return undefined
  return (await check.loadLocalCheck()).findLocalServiceFault(check)
}

const PAGE_TYPES = /^(text\/html|application\/xhtml\+xml)\b/i
const SCRIPT_TYPES = /^(text|application)\/(x-)?(javascript|ecmascript)\b/i
/** Types that browsers refuse for scripts even without `nosniff` (Fetch standard, "should response be blocked due to its MIME type"). */
const NO_SCRIPT_TYPES = /^(image|audio|video)\/|^text\/csv\b/i
const SCRIPT = 'callback.js'
const SCRIPT_TAGS = /<script\b[^<>]*/gi
const SOURCE_ATTRIBUTE = /\bsrc\s*=\s*["']?([^"'\s>]*)/i
const TYPE_ATTRIBUTE = /\stype\s*=\s*["']?([^"'\s>]*)/i
const EXECUTED = /^(module|(text|application)\/(x-)?(javascript|ecmascript))?$/i

/** Second half of a sentence that begins with the path, with its remedy; undefined without a fault. */
type PageFault = string | undefined

/** Checks the page: `path` is the one of the redirect URI. */
function findPageFault({ url, hasQuery, headers }: Arrival): PageFault {
  const type = headers.get('content-type') ?? ''
  if (!hasQuery)
    return `is redirected to ${url.pathname} without its query, the response. Turn that redirect off (clean URLs, trailing slashes), or set and register a redirectUri that is not redirected`
  if (type ? !PAGE_TYPES.test(type) : isExact(headers))
    return `is sent as ${type || 'no type'}, which browsers do not show as a page. Send it with Content-Type: text/html`
  if (/^\s*attachment\b/i.test(headers.get('content-disposition') ?? ''))
    return 'is sent as a download. Send it without Content-Disposition'
  return isIsolated(headers.get('content-security-policy') ?? '')
    ? 'is sent with Content-Security-Policy: sandbox. Exclude it from that header, or add allow-scripts and allow-same-origin'
    : undefined
}

/** Checks the element that loads the script; a page of the game's own may load it in another way. */
function findTagFault(text: string): PageFault {
  const tag = (text.match(SCRIPT_TAGS) ?? []).find((each) => sourceOf(each)?.includes(SCRIPT)) ?? ''
  const [, type = ''] = TYPE_ATTRIBUTE.exec(tag) ?? []
  return EXECUTED.test(type)
    ? undefined
    : `has a script of type ${type.slice(0, 40)}, which an optimizer of the host has changed. Exclude the page from it, with Cloudflare by data-cfasync="false"`
}

/** Returns the address of the script, as the page names it. */
function scriptAddress({ text, url }: Arrival): URL {
  const sources = (text.match(SCRIPT_TAGS) ?? []).map(sourceOf)
  return new URL(sources.find((source) => source?.includes(SCRIPT)) ?? SCRIPT, url)
}

const sourceOf = (tag: string): string | undefined => SOURCE_ATTRIBUTE.exec(tag)?.[1]

function findScriptFault(headers: Headers): PageFault {
  const type = headers.get('content-type') ?? ''
  const isRefused = isExact(headers) ? !SCRIPT_TYPES.test(type) : NO_SCRIPT_TYPES.test(type)
  return isRefused
    ? `is sent as ${type || 'no type'}, which browsers do not run. Send it with Content-Type: text/javascript`
    : undefined
}

const isExact = (headers: Headers): boolean =>
  /^\s*nosniff\b/i.test(headers.get('x-content-type-options') ?? '')

/** A sandbox takes the origin of the page, or its scripts. */
function isIsolated(policy: string): boolean {
  const directives = policy.split(/[;,]/).map((text) => text.trim().toLowerCase().split(/\s+/))
  return directives.some(
    ([name, ...flags]) =>
      name === 'sandbox' && !['allow-scripts', 'allow-same-origin'].every((flag) => flags.includes(flag)),
  )
}
