/** What a callback page does: clean the address bar, hand the answer to the game, and tell the player what to do next. */
import { callbackState } from '../authorization/callback'
import { systemClock } from '../foundation/clock'
import { ANY_ANSWER, takeCallbackUrl } from './address-bar'
import { openChannel, RECEIVED } from './callback-channel'

/** How long the game may take to confirm before the player is told to look there, in ms. */
const PATIENCE = 2000

/** `empty`: no answer stood in the address bar. `waiting`: handed on. `received`: the game has it. `unclaimed`: no game has confirmed it yet. */
export type RelayStatus = 'empty' | 'waiting' | 'received' | 'unclaimed'

/**
 * Call it first on a callback page of your own. It sends the URL to the window that waits for it, closes this one when it may, and
 * reports each status to `onStatus`, since a window is not always allowed to close.
 */
export function relayCallback(onStatus?: (status: RelayStatus) => void): void {
  const url = takeCallbackUrl({ pattern: ANY_ANSWER })
  if (!url) return onStatus?.('empty')
  // Without a state, or with two, the opener still learns that its answer will not come.
  const state = callbackState(url) ?? ''
  const stopWaiting = systemClock.after(PATIENCE, () => onStatus?.('unclaimed'))
  const peer: Window | null = window.opener
  const onMessage = (word: string) => {
    if (word !== RECEIVED) return
    stopWaiting()
    channel.close()
    onStatus?.('received')
    window.close()
  }
  const channel = openChannel({ state, peer, onMessage })
  onStatus?.('waiting')
  channel.post(url)
}
