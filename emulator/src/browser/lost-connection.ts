/** Reports on a page with a form that the emulator has stopped, keeps the form unsent until it is back, and renews its hidden fields. */

const gone = 'The emulator does not answer. Nothing is lost: this page goes on by itself when it is back.'
const ended = 'The emulator was started again, and this request ended with it. Go back to the game, and start again there.'

const note = Object.assign(document.createElement('p'), { className: 'problem', hidden: true })
note.setAttribute('role', 'alert')
document.querySelector('main')?.prepend(note)
let isLost = false

// Other pages have nothing to lose.
if (document.querySelector('form') !== null || location.pathname === '/') connect()
document.addEventListener('submit', (event) => {
  if (isLost) event.preventDefault()
})

function connect() {
  const stream = new EventSource('/chat/events')
  stream.addEventListener('open', () => void recover())
  stream.addEventListener('error', () => {
    stream.close()
    isLost = true
    say(gone)
    setTimeout(connect, 1000)
  })
}

async function recover() {
  if (!isLost) return
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (response === undefined) return
  isLost = false
  if (!response.ok) return say(ended)
  say('')
  renewHiddenFields(new DOMParser().parseFromString(await response.text(), 'text/html'))
}

/** A form that was loaded before is refused: its hidden fields belong to the session of that time. */
function renewHiddenFields(loaded) {
  for (const field of document.querySelectorAll('input[type="hidden"]')) {
    const renewed = loaded.querySelector(`input[type="hidden"][name="${field.name}"]`)
    if (renewed !== null) field.value = renewed.value
  }
}

function say(text) {
  note.textContent = text
  note.hidden = text === ''
}
