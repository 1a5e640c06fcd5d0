/** Callback page logic: cleans the address bar, forwards the response to the game, and reports the status. */
import { callbackState } from '../authorization/parse-and-check-callback'
import { systemClock } from '../foundation/clock'
import { takeAnyResponse } from './address-bar'
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
  const url = takeAnyResponse()
  if (!url) return onStatus?.('empty')
  // Without a unique state, the opener can still end its attempt.
  const state = callbackState(url) ?? ''
  const stopWaiting = systemClock.after(ACKNOWLEDGE_TIMEOUT, () => onStatus?.('unclaimed'))
  const peer: Window | null = window.opener
  const onMessage = (message: string) => {
    if (message !== RECEIVED) return
    stopWaiting()
    channel.close()
    onStatus?.('received')
    window.close()
  }
  const channel = openChannel({ state, peer, onMessage })
  onStatus?.('waiting')
  channel.post(url)
}
