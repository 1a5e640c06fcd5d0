/** Page of the Electron demo: a game that calls the client of the main process like a local one. */
import { connectMainClient, FoyerError } from 'foyer-sdk'
import { showSetupScreen } from './setup/setup-screen'
import { showScreens } from './show-screen'

const client = connectMainClient()

function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no ${id}.`)
  return element
}

function note(line: string): void {
  byId('log').append(Object.assign(document.createElement('li'), { textContent: line }))
}

function show(): void {
  const { session } = client
  // A token prints as [secret] and cannot be revealed in the page.
  byId('who').textContent = session
    ? `Signed in: ${session.userId}, with the token ${String(session.tokens.accessToken)}.`
    : 'Nobody is signed in.'
}

async function run(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    note(error instanceof FoyerError ? `${error.name}: ${error.code}` : String(error))
  }
  byId('elsewhere').hidden = true
  show()
}

client.on('sessionChanged', show)
client.on('statusChanged', ({ previous, status }) => note(`${previous} → ${status}`))
client.on('browserUnavailable', ({ url, userCode }) => {
  byId('hint').textContent =
    userCode === undefined ? `Open ${url} in a browser.` : `Open ${url} and type ${userCode}.`
  byId('elsewhere').hidden = false
})
byId('sign-in').addEventListener('click', () => void run(client.signIn()))
byId('cancel').addEventListener('click', () => client.abortAuthorize())
byId('sign-out').addEventListener('click', () => void run(client.signOut()))
byId('elsewhere').addEventListener('submit', (event) => {
  event.preventDefault()
  const address = document.querySelector('input')?.value ?? ''
  client.handleCallback(address).catch((error: unknown) => note(String(error)))
})
showScreens()
showSetupScreen(byId('setup'))
void run(client.resume())
