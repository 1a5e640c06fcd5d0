// Four in a row for two players, over the messages of a lobby.
import { Client, connectMainClient, hasMainClient, type FoyerError, type Lobby, type LobbyMessage, sessionStorageStore } from 'foyer-sdk'
import { COLUMNS, type Disc, discs, isFree, ROWS, winningDiscs } from './rules'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
// In Electron the main process has the client; in a page, this tab has its own player.
const client = hasMainClient() ? connectMainClient() : new Client({ applicationId, service: { host }, tokenStore: sessionStorageStore() })
const $ = (id: string) => document.getElementById(id)!

type Player = LobbyMessage['author']
let lobby: Lobby, opponent: Player | undefined, moves: number[], round: number, isSending: boolean

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

// In the content, since the history has no metadata: `move 0 7 3` is a disc in column 3, as turn 7 of round 0.
const send = (...words: (string | number)[]) => lobby.send(words.join(' '))

async function enter(join: () => Promise<Lobby>) {
  lobby = await join()
  lobby.on('message', receive)
  opponent = undefined
  reset(0)
  show('table')
  await lobby.watch({ interval: 1000 })
  if (!hasMainClient()) await lobby.autoLeave()
  await send('hello')
}

function reset(next: number) {
  ;[round, moves] = [next, []]
  for (const disc of $('board').querySelectorAll('i')) disc.remove()
  draw()
}

// The player with the lower id begins the first round, then they take turns.
const isRed = () => BigInt(client.session!.userId) < BigInt(opponent!.id) === (round % 2 === 0)
const isOver = () => winningDiscs(moves).length > 0 || moves.length === COLUMNS * ROWS
const isMyTurn = () => opponent && !isOver() && (moves.length % 2 === 0) === isRed()

/** Every message is checked: it comes from a page that its player can change. */
function receive({ message: { author, content } }: { message: LobbyMessage }) {
  const [word, ...numbers] = content.split(' ')
  const [sentRound, turn, column] = numbers.map(Number)
  if (opponent && ![opponent.id, client.session!.userId].includes(author.id)) return
  const isMine = author.id === client.session!.userId
  if (['hello', 'welcome'].includes(word) && !isMine) {
    opponent = author
    reset(0)
    if (word === 'hello') void attempt(() => send('welcome'))
  } else if (word === 'move' && sentRound === round && turn === moves.length) {
    if (isMine === isMyTurn() && isFree(moves, column)) moves.push(column)
  } else if (word === 'rematch' && sentRound === round + 1 && isOver()) reset(round + 1)
  else if (word === 'bye' && !isMine) opponent = undefined
  draw()
}

function play(column: number) {
  if (!isMyTurn() || isSending || !isFree(moves, column)) return
  isSending = true
  void attempt(() => send('move', round, moves.length, column)).finally(() => (isSending = false))
}

function draw() {
  const won = winningDiscs(moves)
  discs(moves).forEach((disc, index) => {
    const element = $('board').querySelectorAll('i')[index] ?? $('board').appendChild(document.createElement('i'))
    element.className = won.some(({ column, row }) => column === disc.column && row === disc.row) ? `${disc.color} won` : disc.color
    element.style.cssText = `--column: ${disc.column}; --row: ${disc.row}`
  })
  const friend = opponent ? nameOf(opponent) : '…'
  const names = opponent && !isRed() ? [friend, 'You'] : ['You', friend]
  for (const [index, color] of ['red', 'gold'].entries()) {
    $(color).textContent = names[index]
    $(color).classList.toggle('active', Boolean(opponent) && !isOver() && moves.length % 2 === index)
  }
  $('turn').textContent = statusText(won[0])
  $('board').classList.toggle('mine', Boolean(isMyTurn()))
  $('rematch').hidden = !isOver() || !opponent
}

function statusText(winner: Disc | undefined) {
  if (!opponent) return 'Waiting for your friend …'
  if (winner) return (winner.color === 'red') === isRed() ? 'You win!' : `${nameOf(opponent)} wins.`
  if (isOver()) return 'A draw.'
  return isMyTurn() ? 'Your turn' : `${nameOf(opponent)} is thinking …`
}

const nameOf = ({ globalName, username }: Player) => globalName ?? username

for (let column = 0; column < COLUMNS; column++) {
  const button = $('board').appendChild(document.createElement('button'))
  button.setAttribute('aria-label', `Column ${column + 1}`)
  button.onclick = () => play(column)
}
$('start').onsubmit = (event) => {
  event.preventDefault()
  void attempt(async () => (await client.signIn(), await begin()))
}
$('meet').onsubmit = (event) => {
  event.preventDefault()
  const word = $('meet').querySelector('input')!.value.trim().toLowerCase()
  void attempt(() => enter(() => client.createOrJoinLobby(`four-in-a-row ${word}`)))
}
$('rematch').onclick = () => attempt(() => send('rematch', round + 1))
$('leave').onclick = () =>
  attempt(async () => {
    await send('bye')
    await lobby.leave()
    show('meet')
  })

/** In an Activity the players of one channel share a lobby; elsewhere they meet by a word. */
const begin = () => (client.activity.launch ? enter(client.activity.joinLobby) : show('meet'))
await attempt(async () => {
  // In an Activity the window around the game signs in.
  if (client.activity.launch) await client.activity.connect()
  return (await client.resume()) ? begin() : show('start')
})
