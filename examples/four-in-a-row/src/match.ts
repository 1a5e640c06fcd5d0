// The match, as the messages of the lobby tell it. A message is a few words, such as `move 7 3` for a disc in column 3 as turn 7.
// After each message all of them are played again, in the order of the service. So everybody sees the same, after a reload too.
import type { LobbyMessage } from 'foyer-sdk'
import { COLUMNS, isFree, ROWS, winningDiscs } from './rules'

/** ms that a player who has left has to come back, before the place is free. */
export const RETURN_TIME = 30_000

/** A message, with the time at which this page has first seen it. */
export type Seen = LobbyMessage & { seenAt: number }

/** Plays all messages of a lobby. */
export function replay(messages: Iterable<Seen>): Match {
  const match = new Match()
  const inOrder = [...messages].sort((one, other) => Number(BigInt(one.id) - BigInt(other.id)))
  for (const message of inOrder) match.apply(message)
  return match
}

export class Match {
  /** Ids in the order in which they came: red, gold, and those who watch. */
  players: string[] = []
  /** Columns that were played. */
  moves: number[] = []
  /** How often each player has won. */
  wins = new Map<string, number>()
  /** The message that reported it, for each player who has left. */
  left = new Map<string, Seen>()

  get winner(): string | undefined {
    if (winningDiscs(this.moves).length === 0) return undefined
    // The one who has just played.
    return this.players[(this.moves.length + 1) % 2]
  }

  get isOver(): boolean {
    const isFull = this.moves.length === COLUMNS * ROWS
    return isFull || this.winner !== undefined
  }

  /** Whose turn it is. Nobody's while the second player is missing, or after the end. */
  get turn(): string | undefined {
    if (this.players.length < 2 || this.isOver) return undefined
    return this.players[this.moves.length % 2]
  }

  /** True for the two who play, false for those who watch. */
  isSeated(player: string): boolean {
    return this.players.slice(0, 2).includes(player)
  }

  /** The message with which a player begins the next round: who plays, and who has won how often. */
  get rematchMessage(): string {
    const scores = swapSeats(this.players).map((player) => `${player}:${this.wins.get(player) ?? 0}`)
    return `rematch ${scores.join(' ')}`
  }

  /** Plays one message. Each is checked, since it comes from a page that its player can change. */
  apply(message: Seen): void {
    const author = message.author.id
    const [word, ...rest] = message.content.split(' ')
    // Whoever writes is there.
    this.left.delete(author)
    if (word === 'hello') this.#join(author)
    else if (word === 'move') this.#move(author, Number(rest[0]), Number(rest[1]))
    else if (word === 'rematch') this.#rematch(author, rest)
    else if (word === 'left') this.#reportLeft(rest[0], message)
    else if (word === 'free') this.#free(rest[0], message)
    else if (word === 'bye') this.#remove(author)
  }

  #join(player: string): void {
    if (!this.players.includes(player)) this.players.push(player)
  }

  /** `number` counts the moves, so that one that is sent twice is played once. */
  #move(player: string, number: number, column: number): void {
    const isExpected = player === this.turn && number === this.moves.length
    if (!isExpected || !isFree(this.moves, column)) return
    this.moves.push(column)
    if (this.winner) this.wins.set(player, (this.wins.get(player) ?? 0) + 1)
  }

  #rematch(player: string, scores: string[]): void {
    if (this.isOver && this.isSeated(player)) {
      this.players = swapSeats(this.players)
      this.moves = []
    } else if (this.players.length < 2) {
      // The history has the newest 200 messages. If what was before is missing, the rematch tells it.
      this.wins = readScores(scores)
      this.players = [...this.wins.keys()]
      this.moves = []
    }
  }

  #reportLeft(player: string, message: Seen): void {
    if (this.players.includes(player) && !this.left.has(player)) this.left.set(player, message)
  }

  /** Gives the place of a player away who has been gone for long enough, by the time of the service. */
  #free(player: string, message: Seen): void {
    const leftAt = this.left.get(player)?.sentAt ?? Infinity
    if (message.sentAt - leftAt >= RETURN_TIME) this.#remove(player)
  }

  /** The board is cleared when one of the two who play is gone. */
  #remove(player: string): void {
    if (this.isSeated(player)) this.moves = []
    this.players = this.players.filter((each) => each !== player)
  }
}

function swapSeats(players: string[]): string[] {
  const [red, gold, ...others] = players
  return [gold, red, ...others]
}

/** Reads scores such as `175928847299117063:2`. */
function readScores(scores: string[]): Map<string, number> {
  const wins = new Map<string, number>()
  for (const score of scores) {
    const [player, count] = score.split(':')
    wins.set(player, Number(count))
  }
  return wins
}
