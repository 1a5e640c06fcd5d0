import { Client, type Session } from 'foyer-sdk'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
// The backend is at the page's own address, and keeps the refresh token: the page has a cookie that it cannot read.
const client = new Client({ applicationId, service: { host }, backendSession: '/session' })
const $ = (id: string) => document.getElementById(id)!

async function greet(session: Session) {
  const lobby = await client.createOrJoinLobby('moon')
  const response = await client.backend.fetch(`/api/lobbies/${lobby.id}`)
  const { members } = await response.json()
  const name = session.user.displayName ?? session.userId
  $('player').textContent = `Welcome, ${name}! The backend counts ${members} in your lobby.`
}

/** Does what a click starts, and shows why it failed. */
async function run(work: Promise<unknown>) {
  $('error').textContent = ''
  try {
    await work
    const { session } = client
    $('sign-in').hidden = session !== null
    $('sign-out').hidden = session === null
    if (session) await greet(session)
    else $('player').textContent = 'Sign in to play.'
  } catch (error) {
    $('error').textContent = (error as Error).message
  }
}

/** Leaves first, since only a player who is signed in can. A network that is away delays the sign-out by 2 s at most. */
async function signOut() {
  const leaving = [...client.lobbies].map((lobby) => lobby.leave({ signal: AbortSignal.timeout(2000) }))
  await Promise.allSettled(leaving)
  await client.signOut()
}

$('sign-in').onclick = () => run(client.signIn())
$('sign-out').onclick = () => run(signOut())
await run(client.resume())
