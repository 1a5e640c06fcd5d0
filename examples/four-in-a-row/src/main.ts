// Four in a row for two players, over the messages of a lobby. Whoever else is there watches.
import { Client, connectMainClient, hasMainClient, type FoyerError, type Lobby, type LobbyMessage, sessionStorageStore } from 'foyer-sdk'
import { COLUMNS, discs, isFree, ROWS, winningDiscs } from './rules'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
// In Electron the main process has the client; in a page, this tab has its own player.
const client = hasMainClient() ? connectMainClient() : new Client({ applicationId, service: { host }, tokenStore: sessionStorageStore() })
const $ = (id: string) => document.getElementById(id)!

let lobby: Lobby
// All messages by their id. Players by theirs, in the order in which they came: red, gold, and those who watch.
let log: Map<string, LobbyMessage>, players: string[], moves: number[], isSending: boolean

function show(screen: string) {
  $('player').textContent = client.session ? `Welcome, ${client.session.user.displayName ?? client.session.userId}!` : ''
  for (const id of ['start', 'meet', 'table']) $(id).hidden = id !== screen
}

/** Runs a step, and shows its error as words. */
async function attempt(step: () => unknown) {
  $('error').textContent = ''
  try {
    await step()
  } catch (error) {
    const { code, message } = error as FoyerError
    if (code !== 'aborted') $('error').textContent = code === 'access_denied' ? 'You did not approve.' : `${code}: ${message}`
  }
}

// In the content, since the history has no metadata: `move 7 3` is a disc in column 3, as turn 7.
const send = (...words: (string | number)[]) => lobby.send(words.join(' '))

async function enter(join: () => Lobby | Promise<Lobby>) {
  const known = [...client.lobbies]
  lobby = await join()
  invitation = null
  log = new Map()
  // An Activity has its channel; a window of Electron that was reloaded has no secret.
  $('link').textContent = client.activity.launch || (hasMainClient() && known.includes(lobby)) ? '' : lobby.inviteLink()
  $('copy').textContent = 'Copy link'
  lobby.on('message', ({ message }) => receive([message]))
  await lobby.watch({ interval: 1000 })
  receive(await lobby.fetchMessages({ limit: 200 }))
  show('table')
  if (!players.includes(client.session!.userId)) await send('hello')
}

/** Plays all messages again, in the order of the service. So everybody sees the same board, after a reload too. */
function receive(messages: readonly LobbyMessage[]) {
  for (const message of messages) log.set(message.id, message)
  ;[players, moves] = [[], []]
  for (const message of [...log.values()].sort((one, other) => Number(BigInt(one.id) - BigInt(other.id)))) apply(message)
  draw()
}

/** Every message is checked: it comes from a page that its player can change. */
function apply({ author: { id }, content }: LobbyMessage) {
  const [word, ...rest] = content.split(' ')
  const [turn, column] = rest.map(Number)
  const seat = players.slice(0, 2).indexOf(id)
  if (word === 'hello' && !players.includes(id)) players.push(id)
  else if (word === 'move' && isOn() && seat === moves.length % 2 && turn === moves.length && isFree(moves, column)) moves.push(column)
  else if (word === 'rematch' && seat >= 0 && isOver()) [players, moves] = [swapped(), []]
  // The history has the newest 200 messages: the latest rematch says who plays.
  else if (word === 'rematch' && players.length < 2) [players, moves] = [rest, []]
  else if (word === 'bye') [players, moves] = [players.filter((each) => each !== id), seat < 0 ? moves : []]
}

const isOver = () => winningDiscs(moves).length > 0 || moves.length === COLUMNS * ROWS
const isOn = () => players.length > 1 && !isOver()
const mySeat = () => players.slice(0, 2).indexOf(client.session!.userId)
const isMyTurn = () => isOn() && mySeat() === moves.length % 2
const swapped = () => [players[1], players[0], ...players.slice(2)]

function play(column: number) {
  if (!isMyTurn() || isSending || !isFree(moves, column)) return
  isSending = true
  void attempt(() => send('move', moves.length, column)).finally(() => (isSending = false))
}

function draw() {
  const won = winningDiscs(moves)
  const board = $('board').querySelectorAll('i')
  for (const extra of [...board].slice(moves.length)) extra.remove()
  discs(moves).forEach((disc, index) => {
    const element = board[index] ?? $('board').appendChild(document.createElement('i'))
    element.className = won.some(({ column, row }) => column === disc.column && row === disc.row) ? `${disc.color} won` : disc.color
    element.style.cssText = `--column: ${disc.column}; --row: ${disc.row}`
  })
  for (const [seat, color] of ['red', 'gold'].entries()) {
    $(color).textContent = nameOf(seat)
    $(color).classList.toggle('active', isOn() && moves.length % 2 === seat)
  }
  $('turn').textContent = (players.length > 1 && mySeat() < 0 ? 'You watch. ' : '') + statusText()
  $('board').classList.toggle('mine', isMyTurn())
  $('rematch').hidden = !isOver() || mySeat() < 0
  $('invite').hidden = players.length > 1 || !$('link').textContent
}

function statusText() {
  if (players.length < 2) return 'Waiting for your friend …'
  const last = (moves.length + 1) % 2
  if (winningDiscs(moves).length > 0) return last === mySeat() ? 'You win!' : `${nameOf(last)} wins.`
  if (isOver()) return 'A draw.'
  return isMyTurn() ? 'Your turn' : `${nameOf(moves.length % 2)} is thinking …`
}

function nameOf(seat: number) {
  const author = [...log.values()].find((message) => message.author.id === players[seat])?.author
  return seat === mySeat() ? 'You' : (author?.globalName ?? author?.username ?? '…')
}

for (let column = 0; column < COLUMNS; column++) {
  const button = $('board').appendChild(document.createElement('button'))
  button.setAttribute('aria-label', `Column ${column + 1}`)
  button.onclick = () => play(column)
}
$('start').onsubmit = (event) => {
  event.preventDefault()
  void attempt(async () => (await client.signIn(), await begin()))
}
const meet = (word: string) => attempt(() => enter(() => client.createOrJoinLobby(`four-in-a-row-${word}`)))
$('new').onclick = () => meet(crypto.randomUUID())
$('meet').onsubmit = (event) => {
  event.preventDefault()
  void meet($('meet').querySelector('input')!.value.trim().toLowerCase())
}
$('copy').onclick = () =>
  attempt(async () => {
    await navigator.clipboard.writeText($('link').textContent)
    $('copy').textContent = 'Copied'
  })
$('rematch').onclick = () => attempt(() => send('rematch', ...swapped()))
$('leave').onclick = () =>
  attempt(async () => {
    await send('bye')
    await lobby.leave()
    show('meet')
  })

// A link that is opened where the game already runs.
window.onhashchange = () => location.reload()
if (hasMainClient()) client.on('activityJoin', () => location.reload())

/** In an Activity the players of one channel share a lobby; elsewhere they meet by a link or a word. A reload returns to the board. */
async function begin() {
  const back = [...client.lobbies].at(-1)
  if (client.activity.launch) await enter(client.activity.joinLobby)
  else if (invitation) await enter(() => client.createOrJoinLobby(invitation!.secret))
  else if (back) await enter(() => back)
  else show('meet')
}
// Electron's main process answers with a promise.
let invitation = await Promise.resolve(client.takeInvitation())
await attempt(async () => {
  // In an Activity the window around the game signs in.
  if (client.activity.launch) await client.activity.connect()
  return (await client.resume()) ? begin() : show('start')
})
