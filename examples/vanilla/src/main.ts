import { Client, indexedDbStore, type Lobby, lobbyStream } from 'foyer-sdk'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
// The emulator's stream tells at once who comes and goes. For your players that of your backend's hub does. Without one, the members are those of the join.
const live = host?.startsWith('http:') ? { lobbyUpdates: lobbyStream(`${host}/lobby-stream`) } : {}
const client = new Client({ applicationId, service: { host }, tokenStore: indexedDbStore(), ...live })
const $ = (id: string) => document.getElementById(id)!
let lobby: Lobby | undefined

function draw() {
  const { session } = client
  $('player').textContent = session
    ? `Welcome, ${session.user.displayName ?? session.userId}!`
    : 'Sign in to play.'
  $('sign-in').textContent = session ? 'Sign out' : 'Sign in'
  $('join').hidden = !session
  $('join').textContent = lobby ? 'Leave' : 'Join'
  $('lobby').hidden = !lobby
  $('members').textContent = `Players: ${lobby?.members.length ?? 0}`
}

/** Does what a click starts, and shows why it failed. */
async function run(work: () => Promise<unknown>) {
  $('error').textContent = ''
  try {
    await work()
  } catch (error) {
    $('error').textContent = (error as Error).message
  }
  draw()
}

/** Shows a lobby until the player is no longer in it. */
async function enter(joined: Lobby) {
  lobby = joined
  $('messages').replaceChildren()
  joined.on('message', ({ message: { author, content } }) => {
    const line = document.createElement('li')
    line.textContent = `${author.globalName ?? author.username}: ${content}`
    $('messages').append(line)
  })
  joined.on('ended', () => {
    lobby = undefined
    draw()
  })
  await joined.watch({ interval: 1000 })
}

/** Leaves first, since only a player who is signed in can. A network that is away delays the sign-out by 2 s at most. */
async function signOut() {
  await lobby?.leave({ signal: AbortSignal.timeout(2000) }).catch(() => undefined)
  await client.signOut()
}

client.on('sessionChanged', draw)
client.on('lobbyUpdated', draw)
$('sign-in').onclick = () => run(() => (client.session ? signOut() : client.signIn()))
// Everyone who joins with the same word is in the same lobby.
$('join').onclick = () =>
  run(async () => (lobby ? lobby.leave() : enter(await client.createOrJoinLobby('moon'))))
$('hello').onclick = () => run(async () => lobby?.send('Hello!'))
await run(async () => {
  await client.resume()
  const [kept] = client.lobbies
  if (kept) await enter(kept)
})
