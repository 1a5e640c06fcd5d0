/** Script of the ready-made `callback.html`. */
import { type RelayStatus, relayCallback } from './relay-callback'

const MESSAGES: Record<RelayStatus, string> = {
  waiting: 'Handing over to the game …',
  received: 'Done. You can close this window and go back to the game.',
  unclaimed: 'Go back to the game. If it does not wait for this sign-in any more, start again there.',
  empty: 'Nothing to do here. Go back to the game and sign in there.',
}

const text = document.getElementById('status')
const button = document.getElementById('close')
button?.addEventListener('click', () => window.close())
relayCallback((status) => {
  if (text) text.textContent = MESSAGES[status]
  if (button) button.hidden = status === 'waiting'
})
