/** Page to which a sign-in in another browser returns: the tester copies its address into the demo that waits for it. */
import { copyButton } from './ui/copy-button'
import { byId } from './ui/create-element'

const WAITING =
  'The demo waits for it, in the browser where you started the sign-in: paste it there under Callback URL. Its code works once, and only for that demo.'

if (new URLSearchParams(location.search).has('state')) {
  byId('words').textContent = WAITING
  byId('tools').append(copyButton({ what: 'the address', text: () => location.href, label: 'Copy the address' }))
}
