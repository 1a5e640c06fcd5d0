/** One server-sent event stream to a player, with a bounded queue. */
import { randomText } from '../../shared/foundation/crypto'
import type { Player } from '../players/player'
import { createEventStreamResponse, type EventStreamSink, PartQueue } from './event-stream-response'

/** Maximum bytes that wait for a slow reader. A stream that exceeds them is closed, and heals by the snapshots of the next one. */
const MAX_QUEUE = 256 * 1024

const HEADERS = {
  'content-type': 'text/event-stream',
  // Proxies must neither store, compress nor buffer the stream.
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

const encoder = new TextEncoder()

/** With a tag of its own, no middleware has to read the stream to its end to compute one. */
const headers = (): Record<string, string> => ({ ...HEADERS, etag: `W/"${randomText()}"` })

/** Encodes lines of a stream. */
export const encodeLines = (lines: string): Uint8Array => encoder.encode(lines)

/** Formats an event. JSON has no line breaks outside of its escapes, so that no name or message can start a field of its own. */
export function formatEvent(name: string, data: unknown, id: number): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Properties of a player that a stream stores. */
export type StreamPlayer = Pick<Player, 'id' | 'username' | 'globalName' | 'expiresAt'>

export class PlayerStream {
  /** Names may be added later. */
  player: StreamPlayer
  readonly #onEnd: () => void
  /** Parts before the start; undefined after it. */
  #queue: PartQueue | undefined = new PartQueue()
  /** Undefined after the end. */
  #sink: EventStreamSink | undefined = this.#queue

  /** @param onEnd called once when the stream has ended, for any reason. */
  constructor({ id, username, globalName, expiresAt }: Player, onEnd: () => void) {
    this.player = {
      id,
      expiresAt,
      ...(username !== undefined && { username }),
      ...(globalName !== undefined && { globalName }),
    }
    this.#onEnd = onEnd
  }

  /** Creates the response to the player. Called once. */
  respond(): Response {
    return createEventStreamResponse(
      { start: (sink) => this.#start(sink), cancel: () => this.#end() },
      headers(),
    )
  }

  /** Sends an encoded event or comment, which other streams may send too. Closes the stream if the player reads too slowly. */
  send(part: Uint8Array): void {
    const sink = this.#sink
    if (!sink) return
    if (sink.waiting >= MAX_QUEUE) this.#abort(sink)
    else this.#attempt(sink, () => sink.write(part))
  }

  close(): void {
    const sink = this.#sink
    this.#end()
    if (sink) this.#attempt(sink, () => sink.end())
  }

  /** A connection that fails, or that middleware has ended, ends this stream and no others. */
  #attempt(sink: EventStreamSink, act: () => void): void {
    try {
      act()
    } catch {
      this.#abort(sink)
    }
  }

  #abort(sink: EventStreamSink): void {
    this.#end()
    try {
      sink.abort()
    } catch {
      // It has failed already.
    }
  }

  #start(sink: EventStreamSink): void {
    const queue = this.#queue
    this.#queue = undefined
    if (this.#sink) this.#sink = sink
    this.#attempt(sink, () => queue?.moveTo(sink))
  }

  #end(): void {
    if (!this.#sink) return
    this.#sink = undefined
    this.#onEnd()
  }
}
