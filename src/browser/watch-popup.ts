/** Watches an open popup: detects that the player closed it, or that no response can arrive. Loaded with the first popup. */
import type { Clock } from '../foundation/clock'
import { AuthorizationError, type FoyerError } from '../foundation/errors'
import { findFault, type PopupCheck } from './check-callback-and-service'

/** Polling interval of `closed` in ms. */
const POLL_INTERVAL = 500
/** Time in ms that the popup must appear closed before the attempt fails. */
const CLOSED_TIMEOUT = 10_000

export interface WatchOptions extends PopupCheck {
  clock: Clock
  /** Called when the window first appears closed. */
  maybeClosed: () => void
  /** Called when no response can arrive. */
  fail: (error: FoyerError) => void
}

/** Watches until the signal aborts. */
export function watchPopup(popup: Window, options: WatchOptions): void {
  const { signal, fail } = options
  if (signal.aborted) return
  signal.addEventListener('abort', watchClosed(popup, options))
  void findFault(options).then((fault) => fault && fail(fault))
}

/**
 * Polls `closed`, which is only a hint: it is always true if either page is cross-origin isolated. Therefore the attempt fails only after
 * ten seconds during which the game had focus, and never in an isolated page.
 */
function watchClosed(popup: Window, options: WatchOptions): () => void {
  const { clock, maybeClosed, fail, isReadyMade } = options
  let closedFor = 0
  let cancel: () => void
  const poll = () => {
    if (!popup.closed) closedFor = 0
    else if (!closedFor) maybeClosed()
    if (popup.closed && (!closedFor || document.hasFocus())) closedFor += POLL_INTERVAL
    if (closedFor > CLOSED_TIMEOUT && !window.crossOriginIsolated) fail(new AuthorizationError('window_closed'))
    else schedule()
    if (isReadyMade && isOfThisOrigin(popup)) void reportShownFault(popup, options).catch(() => undefined)
  }
  const schedule = () => {
    cancel = clock.after(POLL_INTERVAL, poll)
  }
  schedule()
  return () => cancel()
}

/** Pages of other origins cannot be read. */
function isOfThisOrigin(popup: Window): boolean {
  try {
    return popup.location.origin === location.origin
  } catch {
    return false
  }
}

/** Loaded only when the popup shows a page of this origin. */
async function reportShownFault(popup: Window, options: WatchOptions): Promise<void> {
  const fault = await (await import('./detect-wrong-page-in-popup')).findShownFault(popup, options)
  if (fault) options.fail(fault)
}
