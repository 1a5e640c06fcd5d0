// The match, as the messages of the lobby tell it: words, such as `move 7 3` for a disc in column 3 as turn 7.
// All are played again after each, in the order of the service. So everybody sees the same, after a reload too.
import type { LobbyMessage } from 'foyer-sdk'
import { COLUMNS, isFree, ROWS, winningDiscs } from './rules'

/** ms that a player who has left has to come back, before the place is free. */
export const RETURN_TIME = 30_000
/** A message, with the time at which this page has first seen it. */
export type Seen = LobbyMessage & { seenAt: number }

export function replay(messages: Iterable<Seen>) {
  // Ids in the order in which they came: red, gold, and those who watch.
  let [players, moves, wins]: [string[], number[], Map<string, number>] = [[], [], new Map()]
  const left = new Map<string, Seen>()
  const winner = () => (winningDiscs(moves).length > 0 ? players[(moves.length + 1) % 2] : undefined)
  const isOver = () => moves.length === COLUMNS * ROWS || winner() !== undefined
  const turn = () => (players.length > 1 && !isOver() ? players[moves.length % 2] : undefined)
  const remove = (id: string) => ([players, moves] = [players.filter((each) => each !== id), players.indexOf(id) < 2 ? [] : moves])

  // Every message is checked: it comes from a page that its player can change.
  function apply(message: Seen) {
    const [id, [word, ...rest]] = [message.author.id, message.content.split(' ')]
    const [number, column] = rest.map(Number)
    left.delete(id)
    if (word === 'hello' && !players.includes(id)) players.push(id)
    else if (word === 'move' && id === turn() && number === moves.length && isFree(moves, column)) {
      moves.push(column)
      if (winner()) wins.set(id, (wins.get(id) ?? 0) + 1)
    } else if (word === 'rematch' && isOver() && players.slice(0, 2).includes(id)) [players, moves] = [swapped(players), []]
    else if (word === 'rematch' && players.length < 2) {
      // The history has the newest 200 messages: the latest rematch says who plays, and who has won how often.
      wins = new Map(rest.map((each) => [each.split(':')[0], Number(each.split(':')[1])]))
      ;[players, moves] = [[...wins.keys()], []]
    } else if (word === 'left' && players.includes(rest[0]) && !left.has(rest[0])) left.set(rest[0], message)
    else if (word === 'free' && message.sentAt - (left.get(rest[0])?.sentAt ?? Infinity) >= RETURN_TIME) remove(rest[0])
    else if (word === 'bye') remove(id)
  }
  for (const message of [...messages].sort((one, other) => Number(BigInt(one.id) - BigInt(other.id)))) apply(message)
  const rematch = `rematch ${swapped(players).map((id) => `${id}:${wins.get(id) ?? 0}`).join(' ')}` // prettier-ignore
  return { players, moves, wins, left, rematch, winner: winner(), isOver: isOver(), turn: turn() }
}

const swapped = ([red, gold, ...others]: string[]) => [gold, red, ...others]
