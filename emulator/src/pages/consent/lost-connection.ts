/** Reports on a page that the emulator has stopped, keeps its form unsent until the emulator is back, and renews the hidden fields. */
import { type Reached, watchEmulator } from '../shared/watch-emulator.js'

const GONE = 'The emulator does not answer. Nothing is lost: this page goes on by itself when it is back.'
const ENDED =
  'The emulator was started again, and this request ended with it. Go back to the game, and start again there.'

/** The host page has an origin of its own, whose policy allows its own streams only. */
const events = location.pathname.startsWith('/_activity') ? '/_activity/events' : '/chat/events'

const note = Object.assign(document.createElement('p'), { className: 'problem', hidden: true })
note.setAttribute('role', 'alert')
const main = document.querySelector('main')
main?.prepend(note)
const hasForm = document.querySelector('form') !== null
let isLost = false

watchEmulator(events, report)
document.addEventListener('submit', (event) => {
  if (isLost) event.preventDefault()
})

function report({ answers }: Reached): void {
  if (answers) return void recover()
  isLost = true
  say(GONE)
}

async function recover(): Promise<void> {
  if (!isLost) return
  // What was refused or missing may be there after a start with other settings. Loads the address as a link does, and never sends a form again.
  if (main?.classList.contains('bad') === true) return location.replace(location.href)
  const loaded = hasForm ? await loadAgain() : ''
  if (loaded === undefined) return
  isLost = false
  if (loaded === 'ended') return say(ENDED)
  say('')
  if (hasForm) renewHiddenFields(new DOMParser().parseFromString(loaded, 'text/html'))
}

/** Resolves with the document, `'ended'` if it is refused, or undefined if the emulator stopped again. */
async function loadAgain(): Promise<string | undefined> {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  return response?.ok === false ? 'ended' : response?.text()
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
