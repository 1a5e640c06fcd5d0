/** What a callback page does: clean the address bar, hand the answer to the game, and tell the player what to do next. */
import { callbackState } from '../authorization/callback'
import { systemClock } from '../foundation/clock'
import { takeCallbackUrl } from './address-bar'
import { openChannel } from './channel'

/** How long the game may take to confirm before the player is told to look there, in ms. */
const PATIENCE = 2000

/** `empty`: no answer stood in the address bar. `waiting`: handed on. `received`: the game has it. `unclaimed`: no game has confirmed it yet. */
export type RelayStatus = 'empty' | 'waiting' | 'received' | 'unclaimed'

/**
 * Call it first on a callback page of your own. It sends the URL to the window that waits for it, closes this one when it may, and
 * reports each status to `onStatus`, since a window is not always allowed to close.
 */
export function relayCallback(onStatus: (status: RelayStatus) => void = () => undefined): void {
  const url = takeCallbackUrl()
  const state = url === undefined ? undefined : callbackState(url)
  if (url === undefined || !state) return onStatus('empty')
  const opener: Window | null = window.opener
  const stopWaiting = systemClock.after(PATIENCE, () => onStatus('unclaimed'))
  const channel = openChannel({
    state,
    peer: () => opener,
    onMessage({ type }) {
      if (type !== 'received') return
      stopWaiting()
      channel.close()
      onStatus('received')
      window.close()
    },
  })
  onStatus('waiting')
  channel.post({ type: 'answer', url })
}
