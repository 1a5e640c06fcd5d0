import { Client, lobbyStream, type Lobby } from 'foyer-sdk'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
// The backend is at the page's own address, and keeps the tokens: the page has a cookie that it cannot read.
const client = new Client({
  applicationId,
  service: { host },
  backendSession: '/session',
  lobbyUpdates: lobbyStream('/lobbies'),
})
const $ = (id: string) => document.getElementById(id)!
let lobby: Lobby | undefined

/** Shows the player, and the lobby while the player is in it. */
function show() {
  const { session } = client
  const name = session?.user.displayName ?? session?.userId
  $('player').textContent = session
    ? `Welcome, ${name}! Players in the lobby: ${lobby?.members.length ?? 0}.`
    : 'Sign in to play.'
  $('sign-in').hidden = session !== null
  $('sign-out').hidden = session === null
  $('hello').hidden = !lobby
  $('join').hidden = session === null
  $('join').textContent = lobby ? 'Leave' : 'Join'
}

/** Does what a click starts, and shows why it failed. */
async function run(work: () => Promise<unknown>) {
  $('error').textContent = ''
  try {
    await work()
    show()
  } catch (error) {
    $('error').textContent = (error as Error).message
  }
}

// Everyone who joins with the same word is in the same lobby.
const join = async () => (lobby = await client.createOrJoinLobby('moon'))
const leave = async () => lobby?.leave()
/** Leaves first, since only a player who is signed in can. A network that is away delays the sign-out by 2 s at most. */
async function signOut() {
  await lobby?.leave({ signal: AbortSignal.timeout(2000) }).catch(() => undefined)
  await client.signOut()
}

client.on('lobbyUpdated', show)
client.on('lobbyDeleted', () => {
  lobby = undefined
  $('messages').replaceChildren()
  show()
})
client.on('lobbyMessage', ({ message: { author, content } }) => {
  const line = document.createElement('li')
  line.textContent = `${author.globalName ?? author.username}: ${content}`
  $('messages').append(line)
})
$('sign-in').onclick = () => run(async () => (await client.signIn()) && join())
$('sign-out').onclick = () => run(signOut)
$('join').onclick = () => run(lobby ? leave : join)
$('hello').onclick = () => run(async () => lobby?.send('Hello!'))
await run(async () => (await client.resume()) && join())
