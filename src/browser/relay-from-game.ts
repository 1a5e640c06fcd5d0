/** Hands a response over from a page of the game in a popup, if the redirect URI is such a page. */
import { systemClock } from '../foundation/clock'
import { removeResponse, responseState } from './address-bar'
import { readRecord } from './attempt-record-storage'
import { openChannel, RECEIVED } from './callback-channel'

/** Time in ms for the waiting game to answer. */
const ACKNOWLEDGE_TIMEOUT = 2000

/** Closes the window if a game of this browser waits for the response. If none does, it is nobody's, and stays in the address bar. */
export async function relayFromGame(): Promise<void> {
  const { href } = location
  const state = responseState(href) ?? ''
  const isReceived = await new Promise<boolean>((resolve) => {
    const cancel = systemClock.after(ACKNOWLEDGE_TIMEOUT, () => resolve(false))
    const onMessage = (message: string) => {
      if (message !== RECEIVED) return
      cancel()
      resolve(true)
    }
    const channel = openChannel({ state, peer: window.opener, onMessage })
    channel.post(href)
    systemClock.after(ACKNOWLEDGE_TIMEOUT, () => channel.close())
  })
  if (isReceived || readRecord(state)['isPopup']) removeResponse()
  if (isReceived) window.close()
}
