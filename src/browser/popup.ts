/** Shows the authorize page in a popup and hears its answer from the callback page. */
import type { AuthorizationSurface, OpenOptions } from '../authorization/surface'
import { type Clock, systemClock } from '../foundation/clock'
import { AuthorizationError, ConfigurationError } from '../foundation/errors'
import { openChannel, RECEIVED } from './channel'

/** How often a popup is asked whether it is closed, in ms. */
const POLL = 500
/** How long it must read as closed before that is believed, in ms. */
const GRACE = 10_000

export interface PopupOptions {
  /** A page of this origin that calls `relayCallback()`, absolute or relative to the current page. Default: `callback.html` beside it. */
  redirectUri?: string | undefined
  /** CSS pixels. Default 480 by 720, centred over the game. */
  width?: number
  height?: number
  clock?: Clock
}

/** A surface that opens a popup. It needs the player's click, and nothing awaited before it. */
export function popupSurface({ redirectUri, width = 480, height = 720, clock = systemClock }: PopupOptions = {}): AuthorizationSurface {
  return {
    redirectUri() {
      const { href, origin } = new URL(redirectUri ?? 'callback.html', document.baseURI)
      // Nothing that another origin's page says can be heard here.
      if (origin !== location.origin) throw new ConfigurationError('invalid_argument', 'redirectUri')
      // A whole one stays as it is, letter for letter: services compare it with the one that is registered (RFC 9700 section 2.1).
      return redirectUri?.startsWith(origin) ? redirectUri : href
    },
    async open(url, options) {
      // The final address in one step: a blank page that is navigated later loses the gesture, and in an installed app the window.
      const popup = window.open(
        url,
        '_blank',
        `popup,width=${width},height=${height},left=${screenX + (outerWidth - width) / 2},top=${screenY + (outerHeight - height) / 2}`,
      )
      if (!popup) throw new AuthorizationError('popup_blocked')
      return awaitAnswer(popup, { clock, ...options })
    },
  }
}

interface AwaitOptions extends OpenOptions {
  clock: Clock
}

function awaitAnswer(popup: Window, { state, clock, signal, belongs, maybeClosed }: AwaitOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const onWord = (url: string) => {
      if (!belongs(url)) return
      channel.post(RECEIVED)
      resolve(url)
    }
    const channel = openChannel({ state, peer: popup, onWord })
    const onClosed = () => reject(new AuthorizationError('window_closed'))
    const stopWatching = watchClosed(popup, { clock, maybeClosed, onClosed })
    const end = () => {
      stopWatching()
      channel.close()
      popup.close()
    }
    signal.addEventListener('abort', end)
  })
}

interface WatchOptions {
  clock: Clock
  maybeClosed: () => void
  onClosed: () => void
}

/**
 * Watches `closed` as the hint it is. Where either page is isolated it lies, so it is believed only after ten seconds in which the player
 * was back at the game, and in an isolated page never.
 */
function watchClosed(popup: Window, { clock, maybeClosed, onClosed }: WatchOptions): () => void {
  let away = 0
  let cancel: () => void
  const look = () => {
    if (!popup.closed) away = 0
    else if (!away) maybeClosed()
    if (popup.closed && (!away || document.hasFocus())) away += POLL
    if (away > GRACE && !window.crossOriginIsolated) onClosed()
    else later()
  }
  const later = () => {
    cancel = clock.after(POLL, look)
  }
  later()
  return () => cancel()
}
