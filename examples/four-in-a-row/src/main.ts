// Four in a row for two players, over the messages of a lobby. Whoever else is there watches.
import { hasMainClient, type Lobby } from 'foyer-sdk'
import { client } from './client'
import { draw } from './draw'
import { element } from './element'
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
if (hasMainClient()) client.on('activityJoin', () => location.reload())

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
  return table.leave()
}
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
const invitation = await Promise.resolve(client.takeInvitation())
void begin()

/** Leads the player to a table, when the game starts and after a sign-in. */
async function begin(): Promise<void> {
  // In an Activity the window around the game signs in.
  if (client.activity.launch) await client.activity.connect()
  if (!(await client.resume())) return show('start')
  const joining = findLobby()
  return joining ? enter(joining) : show('meet')
}

/** In an Activity the players of one channel share a lobby. Elsewhere they meet by a link or a word. A reload returns to the board. */
function findLobby(): Lobby | Promise<Lobby> | undefined {
  if (client.activity.launch) return client.activity.joinLobby()
  if (invitation) return client.createOrJoinLobby(invitation.secret)
  return [...client.lobbies].at(-1)
}

/** Meets whoever has typed the same word. */
function meet(word: string): Promise<void> {
  return enter(client.createOrJoinLobby(`four-in-a-row-${word}`))
}

/** Opens the table of a lobby. */
async function enter(joining: Lobby | Promise<Lobby>): Promise<void> {
  const known = [...client.lobbies]
  const lobby = await joining
  // An Activity has its channel. A window of Electron that was reloaded has no secret.
  const hasNoLink = client.activity.launch || (hasMainClient() && known.includes(lobby))
  element('link').textContent = hasNoLink ? '' : lobby.inviteLink()
  element('copy').textContent = 'Copy link'
  table = new Table(lobby, draw)
  await table.open()
  show('table')
  await table.tick()
}

function show(screen: 'start' | 'meet' | 'table'): void {
  const { session } = client
  element('player').textContent = session ? `Welcome, ${session.user.displayName ?? session.userId}!` : ''
  for (const id of ['start', 'meet', 'table']) element(id).hidden = id !== screen
}

function isAtTable(): boolean {
  return !element('table').hidden
}
