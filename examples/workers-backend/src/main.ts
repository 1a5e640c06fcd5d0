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

function show({ user, userId }: Session) {
  const name = user.displayName ?? userId
  $('player').textContent = `Welcome, ${name}! Players in the lobby: ${lobby?.members.length ?? 0}.`
  $('sign-in').hidden = true
  $('hello').hidden = false
}

async function play(started: Promise<Session | null>) {
  $('error').textContent = ''
  try {
    const session = await started
    if (!session) return
    lobby = await client.createOrJoinLobby('moon')
    show(session)
  } catch (error) {
    $('error').textContent = (error as Error).message
  }
}

client.on('lobbyUpdated', () => client.session && show(client.session))
client.on('lobbyMessage', ({ message: { author, content } }) => {
  const line = document.createElement('li')
  line.textContent = `${author.globalName ?? author.username}: ${content}`
  $('messages').append(line)
})
$('sign-in').onclick = () => play(client.signIn())
$('hello').onclick = () => lobby?.send('Hello!')
await play(client.resume())
