// Clicker: all players of one lobby count together. The client is in the main process; this page never has a token.
import { connectMainClient } from 'foyer-sdk'

const client = connectMainClient()
const $ = (id) => document.getElementById(id)
let lobby
let clicks = 0

async function attempt(step) {
  $('status').textContent = ''
  try {
    await step()
  } catch (error) {
    if (error.code !== 'aborted') $('status').textContent = error.message
  }
}

function show() {
  const { session } = client
  $('sign-in').hidden = !!session
  $('sign-out').hidden = !session
  $('click').hidden = !lobby
  $('title').textContent = session ? `Welcome, ${session.user.displayName ?? session.userId}!` : 'Clicker'
}

async function enter() {
  if (!client.session) lobby = undefined
  show()
  if (!client.session || lobby) return
  lobby = await client.createOrJoinLobby('clicker')
  lobby.on('message', count)
  await lobby.watch({ interval: 1000 })
  show()
}

/** Leaves first, since only a player who is signed in can. A network that is away delays the sign-out by 2 s at most. */
async function signOut() {
  await lobby?.leave({ signal: AbortSignal.timeout(2000) }).catch(() => undefined)
  await client.signOut()
}

function count({ message }) {
  clicks += 1
  $('status').textContent = `${message.author.username} clicked: ${clicks} clicks`
}

client.on('sessionChanged', () => attempt(enter))
$('sign-in').onclick = () => attempt(client.signIn)
$('sign-out').onclick = () => attempt(signOut)
$('click').onclick = () => attempt(() => lobby.send('Click!'))

await attempt(client.resume)
if (!client.session) show()
