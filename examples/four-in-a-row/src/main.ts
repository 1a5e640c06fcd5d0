// Four in a row for two players, over the messages of a lobby. Whoever else is there watches.
import { avatarUrl, Client, connectMainClient, hasMainClient, type Lobby, lobbyStream, sessionStorageStore } from 'foyer-sdk'
import { replay, RETURN_TIME, type Seen } from './match'
import { type Disc, discs, isFree, winningDiscs } from './rules'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId, VITE_LOBBY_HUB } = import.meta.env
// Tells who is there: the emulator's stream, and for your players that of your backend's hub.
const hub: string | undefined = VITE_LOBBY_HUB ?? (host?.startsWith('http:') ? `${host}/lobby-stream` : undefined)
const live = hub ? { lobbyUpdates: lobbyStream(hub), backendOrigins: [new URL(hub).origin] } : {}
const settings = { applicationId, service: { host }, tokenStore: sessionStorageStore(), ...live }
// In Electron the main process has the client; in a page, this tab has its own player.
const client = hasMainClient() ? connectMainClient() : new Client(settings)
const $ = (id: string) => document.getElementById(id)!

// The messages by their id, and players who were away a second ago.
let lobby: Lobby, log: Map<string, Seen>, match: ReturnType<typeof replay>, away: string[]

function show(screen: string) {
  $('player').textContent = client.session ? `Welcome, ${client.session.user.displayName ?? client.session.userId}!` : ''
  for (const id of ['start', 'meet', 'table']) $(id).hidden = id !== screen
}

async function enter(joining: Lobby | Promise<Lobby>) {
  const known = [...client.lobbies]
  ;[lobby, log, away] = [await joining, new Map(), []]
  // An Activity has its channel; a window of Electron that was reloaded has no secret.
  $('link').textContent = client.activity.launch || (hasMainClient() && known.includes(lobby)) ? '' : lobby.inviteLink()
  $('copy').textContent = 'Copy link'
  lobby.on('message', ({ message }) => receive([message]))
  await lobby.watch({ interval: hub ? 5000 : 1000 })
  receive(await lobby.fetchMessages({ limit: 200 }))
  show('table')
  await tick()
}

function receive(messages: readonly Omit<Seen, 'seenAt'>[]) {
  for (const message of messages) log.set(message.id, { seenAt: Date.now(), ...log.get(message.id), ...message })
  match = replay(log.values())
  draw()
}

const me = () => client.session!.userId
const isAway = (id: string) => lobby.members.some((each) => each.id === id && each.presence === 'away')
const secondsLeft = (id: string) => Math.max(0, Math.ceil((match.left.get(id)!.seenAt + RETURN_TIME - Date.now()) / 1000))

/** Every second: says that this player is there, who has left, and whose place is free. */
async function tick() {
  draw()
  const [before, { players, left }] = [away, match]
  away = players.filter(isAway)
  if (!players.includes(me()) || left.has(me())) await lobby.send('hello')
  // The first of those who are there speaks for all. A reload takes less than two seconds.
  const gone = players.find((id) => !isAway(id)) === me() ? away.filter((id) => before.includes(id)) : []
  for (const id of gone) if (!left.has(id) || secondsLeft(id) === 0) await lobby.send(`${left.has(id) ? 'free' : 'left'} ${id}`)
}

const authorOf = (id: string | undefined) => [...log.values()].find(({ author }) => author.id === id)?.author
const nameOf = (id: string | undefined) => authorOf(id)?.globalName ?? authorOf(id)?.username ?? ''

function draw() {
  const { players, moves, wins, left, turn, winner, isOver } = match
  const [played, won] = [discs(moves), winningDiscs(moves)]
  const cellOf = ({ column, row }: Disc) => $('discs').children[row].children[column]
  for (const cell of $('discs').querySelectorAll('circle')) cell.setAttribute('class', '')
  for (const disc of played) cellOf(disc).classList.add(disc.color)
  for (const disc of won) cellOf(disc).classList.add('won')
  for (const disc of played.slice(-1)) cellOf(disc).classList.add('last')
  $('line').setAttribute('points', won.map(({ column, row }) => `${column * 10 + 5},${55 - row * 10}`).join(' '))
  // The pictures are where the player's own is.
  const mine = client.session?.user.avatarUrl
  for (const [seat, element] of [$('red'), $('gold')].entries()) {
    const [id, [face, name, score]] = [players[seat], element.querySelectorAll<HTMLElement>('i, bdi, b')]
    face.style.backgroundImage = id && mine ? `url("${avatarUrl({ cdnUrl: new URL(mine).origin }, authorOf(id) ?? { id })}")` : ''
    ;[name.textContent, score.textContent] = [nameOf(id), String(wins.get(id) ?? 0)]
    element.className = `player ${id === me() ? 'me' : ''} ${left.has(id) ? 'away' : ''}`
  }
  const isSeated = players.indexOf(me()) < 2
  for (const [index, text] of [isSeated ? '' : 'You watch. ', ...status()].entries()) $('turn').children[index].textContent = text
  const color = ['red', 'gold'][players.indexOf(turn ?? winner ?? '')] ?? ''
  $('table').className = `${color} ${isOver ? 'over' : ''} ${turn === me() ? 'mine' : ''}`
  $('rematch').hidden = !isOver || !isSeated
  $('invite').hidden = players.length > 1 || !$('link').textContent
}

/** The line below the board: a name, words, and a time, which is not read aloud each second. */
function status() {
  const { players, turn, winner, left, isOver } = match
  const gone = players.slice(0, 2).find((id) => left.has(id))
  if (players.length < 2) return ['', 'Waiting for your friend …', '']
  if (winner) return winner === me() ? ['', 'You win!', ''] : [nameOf(winner), ' wins.', '']
  if (isOver) return ['', 'A draw.', '']
  if (gone) return [nameOf(gone), ' left, ', `${secondsLeft(gone)} s to come back`]
  return turn === me() ? ['', 'Your turn', ''] : [nameOf(turn), ' is thinking …', '']
}

const play = (column: number) => match.turn === me() && isFree(match.moves, column) && lobby.send(`move ${match.moves.length} ${column}`)
const meet = (word: string) => enter(client.createOrJoinLobby(`four-in-a-row-${word}`))
$('sign-in').onclick = () => client.signIn().then(begin)
$('new').onclick = () => meet(crypto.randomUUID())
$('meet').onsubmit = () => meet(document.querySelector('input')!.value.trim().toLowerCase())
for (const key of '1234567') $(key).onclick = () => play(Number(key) - 1)
document.onkeydown = ({ key }) => !$('table').hidden && /^[1-7]$/.test(key) && $(key).click()
$('copy').onclick = () => navigator.clipboard.writeText($('link').textContent).then(() => ($('copy').textContent = 'Copied'))
$('rematch').onclick = () => lobby.send(match.rematch)
$('leave').onclick = () => (show('meet'), leave(lobby))
const leave = async (left: Lobby) => (await left.send('bye'), left.leave())
setInterval(() => $('table').hidden || tick().catch(() => undefined), 1000) // what fails, the next second tries again

// Whatever fails is shown as words, until the next click.
window.onunhandledrejection = ({ reason }) => ($('error').textContent = reason.code === 'aborted' ? '' : reason.message)
document.onclick = () => ($('error').textContent = '')
// A link that is opened where the game already runs.
window.onhashchange = () => location.reload()
if (hasMainClient()) client.on('activityJoin', () => location.reload())

// Electron's main process answers with a promise.
const invitation = await Promise.resolve(client.takeInvitation())
void begin()

/** In an Activity the players of one channel share a lobby; elsewhere they meet by a link or a word. A reload returns to the board. */
async function begin() {
  const { launch, connect, joinLobby } = client.activity
  // In an Activity the window around the game signs in.
  if (launch) await connect()
  if (!(await client.resume())) return show('start')
  const joining = launch ? joinLobby() : invitation ? client.createOrJoinLobby(invitation.secret) : [...client.lobbies].at(-1)
  return joining ? enter(joining) : show('meet')
}
