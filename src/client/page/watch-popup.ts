/** Watches an open popup: detects that the player closed it, or that no response can arrive. Loaded with the first popup. */
import type { Clock } from '../../shared/foundation/clock'
import { findShownFault } from './find-shown-fault'
import { AuthorizationError, type FoyerError } from '../../shared/foundation/errors'
import { deleteAttempt, writeRecord } from './stored-attempt'
import { arrivalFault, findFault, type PopupCheck } from './popup-check'
import { pageOrigin } from './redirect-address'

export { toRegisteredUrl } from './probe-callback'

/** Polling interval of `closed` in ms. */
const POLL_INTERVAL = 500
/** Time in ms that the popup must appear closed before the attempt fails. */
const CLOSED_TIMEOUT = 10_000
/** Time in ms for a loaded callback page to send the response: the ready-made one, and one of the game's own, which may be large. */
const SILENCE = { readyMade: 10_000, own: 30_000 }

export interface WatchOptions extends PopupCheck {
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
