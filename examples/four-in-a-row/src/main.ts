// Four in a row for two players, over the messages of a lobby. Whoever else is there watches.
import { hasMainClient, type Lobby } from 'foyer-sdk'
import { client } from './client'
import { draw } from './draw'
import { element } from './element'
import { followFriends, offerBoard } from './friends'
import { Table } from './table'

/** The table at which this player is. */
let table: Table

// Whatever fails is shown as words, until the next click.
window.onunhandledrejection = ({ reason }) => {
  element('error').textContent = reason.code === 'aborted' ? '' : reason.message
}
document.onclick = () => {
  element('error').textContent = ''
}

// A link that is opened where the game already runs.
window.onhashchange = () => location.reload()
if (hasMainClient()) client.on('activityJoin', followLink)
followFriends((lobby) => enter(lobby))

element('sign-in').onclick = async () => {
  await client.signIn()
  await begin()
}
element('new').onclick = () => meet(crypto.randomUUID())
element('meet').onsubmit = () => meet(document.querySelector('input')!.value.trim().toLowerCase())
element('copy').onclick = async () => {
  await navigator.clipboard.writeText(element('link').textContent)
  element('copy').textContent = 'Copied'
}
element('rematch').onclick = () => table.rematch()
element('leave').onclick = () => {
  show('meet')
  return leave()
}
element('sign-out').onclick = async () => {
  // Only a player who is signed in can leave. A network that is away delays the sign-out by 2 s at most.
  const leaving = [...client.lobbies].map((lobby) => lobby.leave({ signal: AbortSignal.timeout(2000) }))
  await Promise.allSettled(leaving)
  await client.signOut()
}
client.on('sessionChanged', ({ session }) => {
  if (!session) show('start')
})
for (const key of '1234567') element(key).onclick = () => table.play(Number(key) - 1)
document.onkeydown = ({ key }) => {
  const isColumn = /^[1-7]$/.test(key)
  if (isColumn && isAtTable()) element(key).click()
}
setInterval(() => {
  // What fails, the next second tries again.
  if (isAtTable()) table.tick().catch(() => undefined)
}, 1000)

// Electron's main process answers with a promise.
let invitation = await Promise.resolve(client.takeInvitation())
void begin()

/** In Electron the game stays open. An invitation that was accepted in the service's program is joined without a link. */
async function followLink(): Promise<void> {
  invitation = await Promise.resolve(client.takeInvitation())
  if (invitation) await begin()
}

/** Leads the player to a table, when the game starts and after a sign-in. */
async function begin(): Promise<void> {
  // In an Activity the window around the game signs in.
  if (client.activity.launch) await client.activity.connect()
  if (!(await client.resume())) return show('start')
  if (invitation && !client.activity.launch) return join(invitation.secret)
  const joining = findLobby()
  return joining ? enter(joining) : show('meet')
}

/** In an Activity the players of one channel share a lobby. Elsewhere they meet by a link or a word. A reload returns to the board. */
function findLobby(): Lobby | Promise<Lobby> | undefined {
  if (client.activity.launch) return client.activity.joinLobby()
  return [...client.lobbies].at(-1)
}

/** Meets whoever has typed the same word. */
function meet(word: string): Promise<void> {
  return join(`four-in-a-row-${word}`)
}

/** A player is at one table: that of before a reload is left. */
async function join(secret: string): Promise<void> {
  invitation = null
  const before = [...client.lobbies]
  await enter(client.createOrJoinLobby(secret), secret)
  for (const lobby of before) if (lobby !== table.lobby) await lobby.leave()
}

/** Opens the table of a lobby. */
async function enter(joining: Lobby | Promise<Lobby>, secret?: string): Promise<void> {
  const known = [...client.lobbies]
  const lobby = await joining
  if (isAtTable() && table.lobby.id !== lobby.id) await leave()
  // An Activity has its channel. A window of Electron that was reloaded has no secret.
  const hasNoLink = client.activity.launch || (hasMainClient() && known.includes(lobby))
  element('link').textContent = hasNoLink ? '' : lobby.inviteLink()
  element('copy').textContent = 'Copy link'
  table = new Table(lobby, draw)
  await table.open()
  show('table')
  await offerBoard(lobby, secret)
  await table.tick()
}

async function leave(): Promise<void> {
  await offerBoard()
  await table.leave()
}

function show(screen: 'start' | 'meet' | 'table'): void {
  const { session } = client
  element('player').textContent = session ? `Welcome, ${session.user.displayName ?? session.userId}!` : ''
  for (const id of ['start', 'meet', 'table']) element(id).hidden = id !== screen
}

function isAtTable(): boolean {
  return !element('table').hidden
}
