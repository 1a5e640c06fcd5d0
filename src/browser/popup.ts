/** Shows the authorize page in a popup and hears its answer from the callback page. */
import type { AuthorizationSurface, OpenOptions } from '../authorization/surface'
import { type Clock, systemClock } from '../foundation/clock'
import { AuthorizationError, ConfigurationError } from '../foundation/errors'
import { memoizedImport } from '../foundation/lazy'
import { openChannel, RECEIVED } from './callback-channel'
import { redirectAddress } from './redirect-address'

export interface PopupOptions {
  /** A page of this origin that calls `relayCallback()`, absolute or relative to the current page. Default: `callback.html` beside it. */
  redirectUri?: string | undefined
  /** CSS pixels. Default 480 by 720, centred over the game. */
  width?: number
  height?: number
  clock?: Clock
}

/** A surface that opens a popup. It needs the player's click, and nothing awaited before it. */
export function popupSurface(given?: PopupOptions): AuthorizationSurface {
  const { redirectUri, width = 480, height = 720, clock = systemClock } = { ...given }
  return {
    redirectUri() {
      // In a frame with `sandbox` and without `allow-same-origin` no channel to the callback page exists.
      if (window.origin === 'null')
        throw new ConfigurationError('unsupported', 'opaque origin', { remedy: 'Add allow-same-origin to the sandbox of the frame' })
      const { uri, origin } = redirectAddress(redirectUri ?? 'callback.html')
      // Nothing that another origin's page says can be heard here.
      if (origin !== location.origin)
        throw new ConfigurationError('invalid_argument', 'redirectUri', {
          remedy: 'A popup needs a page of the origin that the game is on',
        })
      return uri
    },
    async open(url, options) {
      const left = screenX + (outerWidth - width) / 2
      const top = screenY + (outerHeight - height) / 2
      const popup = openWindow(url, `popup,width=${width},height=${height},left=${left},top=${top}`)
      return awaitAnswer(popup, { clock, url, isReadyMade: !redirectUri, ...options })
    },
  }
}

/** The final address in one step: a blank page that is navigated later loses the gesture, and in an installed app the window. */
function openWindow(url: string, features: string): Window {
  let cause: unknown
  try {
    const popup = window.open(url, '_blank', features)
    if (popup) return popup
  } catch (error) {
    cause = error
  }
  const { userActivation }: Partial<Pick<Navigator, 'userActivation'>> = navigator
  // On a touch screen `pointerdown` may still become a scroll: browsers do not count it.
  const subject = userActivation && !userActivation.isActive ? 'use pointerup or click' : ''
  throw new AuthorizationError('popup_blocked', { cause, subject })
}

interface AwaitOptions extends OpenOptions {
  clock: Clock
  url: string
  isReadyMade: boolean
}

function awaitAnswer(popup: Window, options: AwaitOptions): Promise<string> {
  const { state, signal, belongs } = options
  return new Promise((resolve, reject) => {
    const onMessage = (url: string) => {
      if (!belongs(url)) return
      channel.post(RECEIVED)
      resolve(url)
    }
    // Another state in this very window: its own answer cannot come any more. Only a page of this origin in this window is heard here, so
    // nobody else can end the attempt.
    const channel = openChannel({ state, peer: popup, onMessage, onStray: resolve })
    memoizedImport(() => import('./popup-watch'))().then(({ watchPopup }) => watchPopup(popup, { ...options, fail: reject }), reject)
    signal.addEventListener('abort', () => {
      channel.close()
      popup.close()
    })
  })
}
