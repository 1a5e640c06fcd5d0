// Draws a table: the discs, both players, and the line that says whose turn it is.
import { avatarUrl } from 'foyer-sdk'
import { client, me } from './client'
import { element } from './element'
import { type Disc, discs, winningDiscs } from './rules'
import type { Table } from './table'

export function draw(table: Table): void {
  const { players, moves, turn, winner, isOver } = table.match
  drawDiscs(moves)
  drawPlayer('red', players[0], table)
  drawPlayer('gold', players[1], table)
  drawStatus(table)

  const lit = turn ?? winner
  const color = lit === undefined ? '' : ['red', 'gold'][players.indexOf(lit)]
  element('table').className = `${color} ${isOver ? 'over' : ''} ${turn === me() ? 'mine' : ''}`
  element('rematch').hidden = !isOver || isWatching(table)
  element('invite').hidden = players.length > 1 || !element('link').textContent
}

function drawDiscs(moves: readonly number[]): void {
  const played = discs(moves)
  const won = winningDiscs(moves)
  const last = played.at(-1)
  for (const cell of element('discs').querySelectorAll('circle')) cell.setAttribute('class', '')
  for (const disc of played) cellOf(disc).classList.add(disc.color)
  for (const disc of won) cellOf(disc).classList.add('won')
  if (last) cellOf(last).classList.add('last')
  const points = won.map(({ column, row }) => `${column * 10 + 5},${55 - row * 10}`)
  element('line').setAttribute('points', points.join(' '))
}

function cellOf({ column, row }: Disc): Element {
  return element('discs').children[row].children[column]
}

function drawPlayer(color: 'red' | 'gold', player: string | undefined, table: Table): void {
  const { wins, left } = table.match
  const isHere = player !== undefined
  const seat = element(color)
  seat.querySelector('i')!.style.backgroundImage = isHere ? pictureOf(player, table) : ''
  seat.querySelector('bdi')!.textContent = table.nameOf(player)
  seat.querySelector('b')!.textContent = isHere ? String(wins.get(player) ?? 0) : '0'
  seat.className = `player ${player === me() ? 'me' : ''} ${isHere && left.has(player) ? 'away' : ''}`
}

/** The pictures of all players are where this player's own is. */
function pictureOf(player: string, table: Table): string {
  const own = client.session?.user.avatarUrl
  if (!own) return ''
  const cdnUrl = new URL(own).origin
  return `url("${avatarUrl({ cdnUrl }, table.authorOf(player) ?? { id: player })}")`
}

/** The line below the board has a name, words, and a time, which is not read aloud each second. */
function drawStatus(table: Table): void {
  const [watching, name, words, time] = element('turn').children
  const status = statusOf(table)
  watching.textContent = isWatching(table) ? 'You watch. ' : ''
  name.textContent = status.name ?? ''
  words.textContent = status.words
  time.textContent = status.time ?? ''
}

function statusOf(table: Table): { name?: string; words: string; time?: string } {
  const { players, turn, winner, left, isOver } = table.match
  const gone = players.slice(0, 2).find((player) => left.has(player))
  if (players.length < 2) return { words: 'Waiting for your friend …' }
  if (winner === me()) return { words: 'You win!' }
  if (winner) return { name: table.nameOf(winner), words: ' wins.' }
  if (isOver) return { words: 'A draw.' }
  if (gone)
    return { name: table.nameOf(gone), words: ' left, ', time: `${table.secondsLeft(gone)} s to come back` }
  if (turn === me()) return { words: 'Your turn' }
  return { name: table.nameOf(turn), words: ' is thinking …' }
}

/** True for everybody but the first two. One who has just come is not in the list yet. */
function isWatching(table: Table): boolean {
  return table.match.players.indexOf(me()) >= 2
}
