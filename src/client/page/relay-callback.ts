/** Callback page logic: cleans the address bar, forwards the response to the game, and reports the status. */
import { callbackState } from '../../shared/authorization/check-callback'
import { systemClock } from '../../shared/foundation/clock'
import { isText } from '../../shared/foundation/untrusted-values'
import { takeAnyResponse } from './address-bar'
import { readRecord } from './stored-attempt'
import { openChannel, RECEIVED } from './callback-channel'

/** Time in ms for the game to acknowledge before the status becomes `unclaimed`. */
const ACKNOWLEDGE_TIMEOUT = 2000

/**
 * `empty`: no response in the address bar. `waiting`: forwarded. `received`: acknowledged by the game. `unclaimed`: not acknowledged within
 * 2 s.
 */
export type RelayStatus = 'empty' | 'waiting' | 'received' | 'unclaimed'

/**
 * Forwards the response in the address bar to the waiting game and closes the window. Call it first on a callback page of your own.
 * `onStatus` receives every status, because browsers may prevent closing.
 *
 * @example
 * ```ts
 * relayCallback((status) => {
 *   document.body.textContent = status === 'unclaimed' ? 'Go back to the game.' : ''
 * })
 * ```
 */
export function relayCallback(onStatus?: (status: RelayStatus) => void): void {
  // A page that a browser loads in advance may never be shown: it must not take the response.
  if ('prerendering' in document && document.prerendering)
    return document.addEventListener('prerenderingchange', () => relayCallback(onStatus), { once: true })
  const url = takeAnyResponse()
  const peer: Window | null = window.opener
  // Without a unique state, the opener can still end its attempt.
  const state = (url && callbackState(url)) ?? ''
  if (!url) {
    peer?.postMessage(`foyer: ${location.origin}${location.pathname}`, location.origin)
    return onStatus?.('empty')
  }
  onStatus?.('waiting')
  if (returnToGame(state, url)) return
  const stopWaiting = systemClock.after(ACKNOWLEDGE_TIMEOUT, () => onStatus?.('unclaimed'))
  const onMessage = (message: string) => {
    if (message !== RECEIVED) return
    stopWaiting()
    channel.close()
    onStatus?.('received')
    window.close()
  }
  const channel = openChannel({ state, peer, onMessage })
  channel.post(url)
}

/** Opens the game with the response if its own window went to the authorize page: no other window waits. Returns true if it did. */
function returnToGame(state: string, url: string): boolean {
  const { returnTo } = readRecord(state)
  if (!isText(returnTo, /^https?:/) || new URL(returnTo).origin !== location.origin) return false
  location.replace(returnTo + new URL(url).search)
  return true
}
