/** Watches a popup that is open: whether the player has closed it, and whether it can answer at all. Loaded when one opens. */
import type { Clock } from '../foundation/clock'
import { AuthorizationError, type FoyerError } from '../foundation/errors'
import { findFault, type PopupCheck } from './popup-check'

/** How often a popup is asked whether it is closed, in ms. */
const POLL = 500
/** How long it must read as closed before that is believed, in ms. */
const GRACE = 10_000

export interface WatchOptions extends PopupCheck {
  clock: Clock
  /** Called when the window first seems to be gone. */
  maybeClosed: () => void
  /** Called when no answer can come. */
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
 * Watches `closed` as the hint it is. Where either page is isolated it lies, so it is believed only after ten seconds in which the player
 * was back at the game, and in an isolated page never.
 */
function watchClosed(popup: Window, { clock, maybeClosed, fail }: WatchOptions): () => void {
  let away = 0
  let cancel: () => void
  const look = () => {
    if (!popup.closed) away = 0
    else if (!away) maybeClosed()
    if (popup.closed && (!away || document.hasFocus())) away += POLL
    if (away > GRACE && !window.crossOriginIsolated) fail(new AuthorizationError('window_closed'))
    else later()
  }
  const later = () => {
    cancel = clock.after(POLL, look)
  }
  later()
  return () => cancel()
}
