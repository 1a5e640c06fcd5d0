/** Shows the authorize page in a popup and hears its answer from the callback page. */
import { callbackState } from '../authorization/callback'
import type { AuthorizationSurface, OpenOptions } from '../authorization/surface'
import { type Clock, systemClock } from '../foundation/clock'
import { AuthorizationError } from '../foundation/errors'
import { openChannel } from './channel'

/** How often a popup is asked whether it is closed, in ms. */
const CLOSED_POLL = 500
/** How long it must read as closed before that is believed, in ms. */
const CLOSED_GRACE = 10_000

export interface PopupOptions {
  /** A page of this origin that calls `relayCallback()`. Default: `callback.html` beside the current page. */
  redirectUri?: string
  /** CSS pixels. Default 480 by 720. */
  width?: number
  height?: number
  clock?: Clock
}

/** A surface that opens a popup. It needs the player's click, and nothing awaited before it. */
export function popupSurface({ redirectUri, width = 480, height = 720, clock = systemClock }: PopupOptions = {}): AuthorizationSurface {
  return {
    redirectUri: () => redirectUri ?? new URL('callback.html', document.baseURI).href,
    open(url, options) {
      // The final address in one step: a blank page that is navigated later loses the gesture, and in an installed app the window.
      const popup = window.open(url, '_blank', popupFeatures(width, height))
      if (!popup)
        return Promise.reject(
          new AuthorizationError('popup_blocked', 'The browser blocked the popup: call signIn inside a click, or use redirectSurface().'),
        )
      return awaitAnswer(popup, { state: callbackState(url) ?? '', clock, ...options })
    },
  }
}

interface AwaitOptions extends OpenOptions {
  state: string
  clock: Clock
}

function awaitAnswer(popup: Window, { state, clock, signal, belongs, maybeClosed }: AwaitOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const channel = openChannel({
      state,
      peer: () => popup,
      onMessage(message) {
        if (message.type !== 'answer' || !belongs(message.url)) return
        channel.post({ type: 'received' })
        resolve(message.url)
      },
    })
    const stopWatching = watchClosed(popup, { clock, maybeClosed, onClosed: () => reject(windowClosed()) })
    const end = () => {
      stopWatching()
      channel.close()
      popup.close()
    }
    signal.addEventListener('abort', end, { once: true })
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
    if (popup.closed && away === 0) maybeClosed()
    if (!popup.closed) away = 0
    else if (away === 0 || document.hasFocus()) away += CLOSED_POLL
    if (away > CLOSED_GRACE && !window.crossOriginIsolated) onClosed()
    else cancel = clock.after(CLOSED_POLL, look)
  }
  cancel = clock.after(CLOSED_POLL, look)
  return () => cancel()
}

/** Centred over the game. */
function popupFeatures(width: number, height: number): string {
  const left = Math.round(window.screenX + (window.outerWidth - width) / 2)
  const top = Math.round(window.screenY + (window.outerHeight - height) / 2)
  return `popup,width=${width},height=${height},left=${left},top=${top}`
}

function windowClosed(): AuthorizationError {
  return new AuthorizationError('window_closed', 'The sign-in window was closed.')
}
