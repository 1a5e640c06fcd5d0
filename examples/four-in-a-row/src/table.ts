// A table: the lobby in which two players meet, and the match that its messages tell.
import type { Lobby, LobbyMessage } from 'foyer-sdk'
import { hasHub, me } from './client'
import { replay, RETURN_TIME, type Seen } from './match'
import { isFree } from './rules'

export class Table {
  lobby: Lobby
  match = replay([])
  /** Called when something is to be drawn. */
  onChange: (table: Table) => void
  /** By their id. */
  #messages = new Map<string, Seen>()
  /** Players who were away a second ago. */
  #awayBefore: string[] = []

  constructor(lobby: Lobby, onChange: (table: Table) => void) {
    this.lobby = lobby
    this.onChange = onChange
  }

  /** Reads what was said, and listens to what comes. */
  async open(): Promise<void> {
    this.lobby.on('message', ({ message }) => this.#receive([message]))
    await this.lobby.watch({ interval: hasHub ? 5000 : 1000 })
    this.#receive(await this.lobby.fetchMessages({ limit: 200 }))
  }

  #receive(messages: readonly LobbyMessage[]): void {
    for (const message of messages) {
      const seenAt = this.#messages.get(message.id)?.seenAt ?? Date.now()
      this.#messages.set(message.id, { ...message, seenAt })
    }
    this.match = replay(this.#messages.values())
    this.onChange(this)
  }

  /** Every second: says that this player is there, who has left, and whose place is free. */
  async tick(): Promise<void> {
    this.onChange(this)
    const { players, left } = this.match
    const awayBefore = this.#awayBefore
    const away = players.filter((player) => this.#isAway(player))
    this.#awayBefore = away
    if (!players.includes(me()) || left.has(me())) await this.lobby.send('hello')

    // The first of those who are there speaks for all.
    const speaker = players.find((player) => !this.#isAway(player))
    if (speaker !== me()) return
    // A reload takes less than two seconds.
    const gone = away.filter((player) => awayBefore.includes(player))
    for (const player of gone) {
      if (!left.has(player)) await this.lobby.send(`left ${player}`)
      else if (this.secondsLeft(player) === 0) await this.lobby.send(`free ${player}`)
    }
  }

  /** Drops a disc, if that is allowed now. */
  async play(column: number): Promise<void> {
    const { turn, moves } = this.match
    if (turn === me() && isFree(moves, column)) await this.lobby.send(`move ${moves.length} ${column}`)
  }

  async rematch(): Promise<void> {
    await this.lobby.send(this.match.rematchMessage)
  }

  async leave(): Promise<void> {
    await this.lobby.send('bye')
    await this.lobby.leave()
  }

  /** Seconds that a player who has left has to come back. */
  secondsLeft(player: string): number {
    const { seenAt } = this.match.left.get(player)!
    return Math.max(0, Math.ceil((seenAt + RETURN_TIME - Date.now()) / 1000))
  }

  /** What the messages of a player say about them. */
  authorOf(player: string | undefined): LobbyMessage['author'] | undefined {
    return [...this.#messages.values()].find(({ author }) => author.id === player)?.author
  }

  nameOf(player: string | undefined): string {
    const author = this.authorOf(player)
    return author?.globalName ?? author?.username ?? ''
  }

  #isAway(player: string): boolean {
    return this.lobby.members.some(({ id, presence }) => id === player && presence === 'away')
  }
}
