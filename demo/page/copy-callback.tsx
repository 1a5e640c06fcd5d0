/** Page to which a sign-in in another browser returns: the tester copies its address into the demo that waits for it. */
import { render } from 'preact'
import { byId } from './foundation/by-id'
import { CopyButton } from 'kit/copy-button'

const WAITING =
  'The demo waits for it, in the browser where you started the sign-in: paste it there under Callback URL. Its code works once, and only for that demo.'

if (new URLSearchParams(location.search).has('state')) {
  byId('words').textContent = WAITING
  render(<CopyButton what="the address" text={() => location.href} label="Copy the address" />, byId('tools'))
}
