/** Players with a stream in this process. */
import type { Player } from '../players/verified-player'
import { encodeEvent, PlayerStream } from './bounded-player-stream'

/** Maximum number of streams of one player in one process: one for each open tab. */
const MAX_STREAMS = 8

export interface PlayerListeners {
  /** Called after a player's last stream has ended. */
  onLeft: (playerId: string) => void
}

export class ConnectedPlayers {
  readonly #streams = new Map<string, Set<PlayerStream>>()
  readonly #listeners: PlayerListeners
  #count = 0
  #eventId = 0

  constructor(listeners: PlayerListeners) {
    this.#listeners = listeners
  }

  get count(): number {
    return this.#count
  }

  has(playerId: string): boolean {
    return this.#streams.has(playerId)
  }

  ids(): string[] {
    return [...this.#streams.keys()]
  }

  all(): Player[] {
    return [...this.#streams.values()].flatMap(([stream]) => stream?.player ?? [])
  }

  /** Returns undefined if the player has too many streams. */
  open(player: Player): PlayerStream | undefined {
    const streams = this.#streams.get(player.id) ?? new Set()
    if (streams.size >= MAX_STREAMS) return undefined
    const stream = new PlayerStream(player, () => this.#remove(stream, streams))
    this.#streams.set(player.id, streams.add(stream))
    this.#count += 1
    return stream
  }

  /** Sends an event to all streams of a player. */
  send(playerId: string, name: string, data: unknown): void {
    const streams = this.#streams.get(playerId)
    if (!streams) return
    const text = this.encode(name, data)
    for (const stream of streams) stream.send(text)
  }

  encode(name: string, data: unknown): string {
    return encodeEvent(name, data, ++this.#eventId)
  }

  /** Keeps all streams open, and closes those whose token has ended: the player's client reconnects with a new one. */
  heartbeat(now: number): void {
    for (const streams of this.#streams.values())
      for (const stream of streams) {
        if (stream.player.expiresAt <= now) stream.close()
        else stream.send(':\n\n')
      }
  }

  close(): void {
    for (const streams of this.#streams.values()) for (const stream of streams) stream.close()
  }

  #remove(stream: PlayerStream, streams: Set<PlayerStream>): void {
    if (!streams.delete(stream)) return
    this.#count -= 1
    if (streams.size > 0) return
    this.#streams.delete(stream.player.id)
    this.#listeners.onLeft(stream.player.id)
  }
}
