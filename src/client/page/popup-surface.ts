/** Surface that shows the authorize page in a popup and receives the callback from the callback page. */
import { checkOptions, requireNumber } from '../../shared/foundation/options'
import type { AuthorizationSurface, OpenOptions } from '../../shared/authorization/authorization-flow'
import { loadDevelopment, loadPopup } from './capabilities'
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { listenToAbort } from '../../shared/foundation/async'
import { AuthorizationError, ConfigurationError } from '../../shared/foundation/errors'
import { openChannel, RECEIVED } from './callback-channel'
import { keepPage } from './keep-page'
import { keepAttempt, untilRestored } from './stored-attempt'
import { pageOrigin, redirectAddress } from './redirect-address'

/** ms after which a popup is closed once more. */
const CLOSE_AGAIN = [500, 1000, 1500, 2000, 2500, 3000]

/** Options of `popupSurface`. */
export interface PopupOptions {
  /**
   * Callback page of this origin that calls `relayCallback()`, absolute or relative to the page. Default: `callback.html` beside the page.
   */
  redirectUri?: string | undefined
  /** Width in CSS pixels. Default: 480. The popup is centred over the game. */
  width?: number | undefined
  /** Height in CSS pixels. Default: 720. */
  height?: number | undefined
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
}

/**
 * Creates a surface that opens a popup; default of `Client` in a page. `open` must run in the player's click, with no `await` before it.
 *
 * Errors of the sign-in: AuthorizationError `popup_blocked`, `window_closed`; ConfigurationError `unsupported` in an opaque origin,
 * `invalid_argument` for a callback page of another origin, `callback_unavailable`.
 */
export function popupSurface(given?: PopupOptions): AuthorizationSurface {
  const {
    redirectUri,
    width = 480,
    height = 720,
    clock = systemClock,
  } = checkOptions(given, ['redirectUri', 'width', 'height', 'clock'])
  for (const [name, size] of Object.entries({ width, height }))
    requireNumber(size, name, { kind: 'CSS pixels', min: 1, example: '480' })
  return {
    redirectUri() {
      // A sandboxed frame without `allow-same-origin` has no channel to the callback page.
      if (window.origin === 'null')
        throw new ConfigurationError('unsupported', 'opaque origin', {
          remedy: 'Serve the page over http; a sandbox needs allow-same-origin',
        })
      const { uri, origin } = redirectAddress(redirectUri ?? 'callback.html')
      // Messages of another origin cannot be received.
      if (origin !== pageOrigin())
        throw new ConfigurationError('invalid_argument', 'redirectUri', {
          remedy: 'Use a callback page on the origin of the game',
        })
      return uri
    },
    async open(url, options) {
      const left = screenX + (outerWidth - width) / 2
      const top = screenY + (outerHeight - height) / 2
      const popup = openWindow(url, `popup,width=${width},height=${height},left=${left},top=${top}`)
      keepPage(options.log)
      if (popup === window || popup === window.top) return leavePage(options)
      return awaitCallback(popup, { clock, url, isReadyMade: !redirectUri, ...options })
    },
  }
}

/** Opens the final URL directly: navigating a blank popup later loses the gesture, and in an installed app the window. */
function openWindow(url: string, features: string): Window {
  let cause: unknown
  try {
    const popup = window.open(url, '_blank', features)
    if (popup) return popup
  } catch (error) {
    cause = error
  }
  const { userActivation }: Partial<Pick<Navigator, 'userActivation'>> = navigator
  // On touch screens `pointerdown` may still become a scroll, so browsers do not count it as a gesture.
  const isNoGesture = userActivation && !userActivation.isActive
  const subject = isNoGesture
    ? 'use pointerup or click'
    : window.top === window
      ? ''
      : 'a sandbox needs allow-popups'
  throw new AuthorizationError('popup_blocked', { cause, subject })
}

/** Web views and a setting of Firefox open no window: the game's own page becomes the authorize page, as with a redirect. */
function leavePage({ attempt, signal }: OpenOptions): Promise<string> {
  const { search, hash, origin, pathname } = location
  if (attempt) keepAttempt(attempt, { page: search + hash, returnTo: origin + pathname }, signal)
  return untilRestored(signal)
}

interface AwaitOptions extends OpenOptions {
  clock: Clock
  url: string
  isReadyMade: boolean
}

function awaitCallback(popup: Window, options: AwaitOptions): Promise<string> {
  const { clock, state, signal, belongs, url: authorizeUrl } = options
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const onMessage = (url: string) => {
      if (!belongs(url)) return
      isAnswered = true
      channel.post(RECEIVED)
      const redirectUri = new URL(authorizeUrl).searchParams.get('redirect_uri') ?? ''
      loadPopup().then(({ toRegisteredUrl }) => resolve(toRegisteredUrl(url, redirectUri)), reject)
    }
    // A response with another state in this popup, or none, means that the expected one cannot arrive. Only same-origin pages in this window
    // can send it.
    const onStray = (url: string) => {
      if (isAnswered) return
      if (/[?#]./.test(url)) resolve(url)
      else loadPopup().then(({ lostQueryFault }) => reject(lostQueryFault(authorizeUrl)), reject)
    }
    const channel = openChannel({ state, peer: popup, onMessage, onStray })
    loadPopup().then(
      ({ watchPopup }) => watchPopup(popup, { ...options, loadLocalCheck: loadDevelopment, fail: reject }),
      reject,
    )
    // Firefox runs other tasks inside `window.open()`: the attempt may have ended in there.
    listenToAbort(signal, () => {
      channel.close()
      popup.close()
      // Chromium drops a `close()`, and reports the popup as open again, if it navigates to another process at that moment.
      for (const delay of CLOSE_AGAIN) clock.after(delay, () => popup.close())
    })
  })
}
