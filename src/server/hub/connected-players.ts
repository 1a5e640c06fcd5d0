/** Players with a stream in this process. */
import type { Player } from '../players/player'
import { HeartbeatRounds } from './heartbeat-rounds'
import { encodeLines, formatEvent, PlayerStream, type StreamPlayer } from './player-stream'

/** Maximum number of streams of one player in one process: one for each open tab. */
const MAX_STREAMS = 8

export interface PlayerListeners {
  /** Called after a player's last stream has ended. */
  onLeft: (playerId: string) => void
}

export class ConnectedPlayers {
  readonly #streams = new Map<string, Set<PlayerStream>>()
  readonly #listeners: PlayerListeners
  /** Keeps a connection open. */
  readonly #comment = encodeLines(':\n\n')
  readonly #heartbeats = new HeartbeatRounds(this.#streams)
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

  all(): StreamPlayer[] {
    return [...this.#streams.values()].flatMap(([stream]) => stream?.player ?? [])
  }

  /** Adds names to a player's streams. Returns the player, unless the last stream has ended. */
  name(playerId: string, names: Pick<Player, 'username' | 'globalName'>): StreamPlayer[] {
    const streams = [...(this.#streams.get(playerId) ?? [])]
    for (const stream of streams) stream.player = { ...stream.player, ...names }
    return streams.slice(0, 1).map(({ player }) => player)
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

  /** Sends events of one kind, encoded once, to all streams of players. */
  send(playerIds: Iterable<string>, name: string, ...data: readonly unknown[]): void {
    let part: Uint8Array | undefined
    for (const id of playerIds)
      for (const stream of this.#streams.get(id) ?? []) {
        part ??= this.encode(name, ...data)
        stream.send(part)
      }
  }

  encode(name: string, ...data: readonly unknown[]): Uint8Array {
    return encodeLines(data.map((each) => formatEvent(name, each, ++this.#eventId)).join(''))
  }

  /**
   * Keeps the next part of the streams open, and closes those whose token has ended: the player's client reconnects with a new one. Returns
   * ids of their players. Called every `HEARTBEAT_STEP` ms.
   */
  heartbeat(now: number): string[] {
    return this.#heartbeats.next(now).flatMap((streams) => this.#keepOpen(streams, now))
  }

  close(): void {
    for (const streams of this.#streams.values()) for (const stream of streams) stream.close()
  }

  /** Returns the id of the player, if a stream stays open. */
  #keepOpen(streams: ReadonlySet<PlayerStream>, now: number): string[] {
    for (const stream of streams) {
      if (stream.player.expiresAt <= now) stream.close()
      else stream.send(this.#comment)
    }
    return [...streams].slice(0, 1).map(({ player }) => player.id)
  }

  #remove(stream: PlayerStream, streams: Set<PlayerStream>): void {
    if (!streams.delete(stream)) return
    this.#count -= 1
    if (streams.size > 0) return
    this.#streams.delete(stream.player.id)
    this.#listeners.onLeft(stream.player.id)
  }
}
