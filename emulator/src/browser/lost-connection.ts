/** Reports on a page with a form that the emulator has stopped, keeps the form unsent until it is back, and renews its hidden fields. */
import { watchEmulator } from './watch-emulator.js'

const gone = 'The emulator does not answer. Nothing is lost: this page goes on by itself when it is back.'
const ended = 'The emulator was started again, and this request ended with it. Go back to the game, and start again there.'

/** The host page has an origin of its own, whose policy allows its own streams only. */
const events = location.pathname.startsWith('/_activity') ? '/_activity/events' : '/chat/events'

const note = Object.assign(document.createElement('p'), { className: 'problem', hidden: true })
note.setAttribute('role', 'alert')
document.querySelector('main')?.prepend(note)
let isLost = false

// Other pages have nothing to lose.
if (document.querySelector('form') !== null || location.pathname === '/') watchEmulator(events, report)
document.addEventListener('submit', (event) => {
  if (isLost) event.preventDefault()
})

function report(answers: boolean): void {
  if (answers) return void recover()
  isLost = true
  say(gone)
}

async function recover(): Promise<void> {
  if (!isLost) return
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (response === undefined) return
  isLost = false
  if (!response.ok) return say(ended)
  say('')
  renewHiddenFields(new DOMParser().parseFromString(await response.text(), 'text/html'))
}

/** A form that was loaded before is refused: its hidden fields belong to the session of that time. */
function renewHiddenFields(loaded: Document): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[type="hidden"]')) {
    const renewed = loaded.querySelector<HTMLInputElement>(`input[type="hidden"][name="${field.name}"]`)
    if (renewed !== null) field.value = renewed.value
  }
}

function say(text: string): void {
  note.textContent = text
  note.hidden = text === ''
}
