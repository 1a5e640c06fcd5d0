import { Client, lobbyStream, type Lobby, type Session } from 'foyer-sdk'

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
function show({ user, userId }: Session) {
  const name = user.displayName ?? userId
  $('player').textContent = `Welcome, ${name}! Players in the lobby: ${lobby?.members.length ?? 0}.`
  $('sign-in').hidden = true
  $('hello').hidden = !lobby
  $('join').hidden = false
  $('join').textContent = lobby ? 'Leave' : 'Join'
}

/** Does what a click starts, and shows why it failed. */
async function run(work: () => Promise<unknown>) {
  $('error').textContent = ''
  try {
    await work()
    if (client.session) show(client.session)
  } catch (error) {
    $('error').textContent = (error as Error).message
  }
}

// Everyone who joins with the same word is in the same lobby.
const join = async () => (lobby = await client.createOrJoinLobby('moon'))
async function leave() {
  await lobby?.leave()
  lobby = undefined
}

client.on('lobbyUpdated', () => client.session && show(client.session))
client.on('lobbyMessage', ({ message: { author, content } }) => {
  const line = document.createElement('li')
  line.textContent = `${author.globalName ?? author.username}: ${content}`
  $('messages').append(line)
})
$('sign-in').onclick = () => run(async () => (await client.signIn()) && join())
$('join').onclick = () => run(lobby ? leave : join)
$('hello').onclick = () => run(async () => lobby?.send('Hello!'))
await run(async () => (await client.resume()) && join())
