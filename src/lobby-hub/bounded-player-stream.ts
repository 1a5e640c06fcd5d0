/** One server-sent event stream to a player, with a bounded queue. */
import type { Player } from '../players/verified-player'

/** Maximum bytes that wait for a slow reader. A stream that exceeds them is closed, and heals by the snapshots of the next one. */
const MAX_QUEUE = 256 * 1024

const HEADERS = {
  'content-type': 'text/event-stream',
  // Proxies must neither store, compress nor buffer the stream.
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

const encoder = new TextEncoder()

/** Encodes lines of a stream. */
export const encodeLines = (lines: string): Uint8Array => encoder.encode(lines)

/** Formats an event. JSON has no line breaks outside of its escapes, so that no name or message can start a field of its own. */
export function formatEvent(name: string, data: unknown, id: number): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

export class PlayerStream {
  readonly player: Player
  /** Response to the player. */
  readonly response: Response
  readonly #onEnd: () => void
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  /** @param onEnd called once when the stream has ended, for any reason. */
  constructor(player: Player, onEnd: () => void) {
    this.player = player
    this.#onEnd = onEnd
    const body = new ReadableStream<Uint8Array>(
      { start: (controller) => void (this.#controller = controller), cancel: () => this.#end() },
      { highWaterMark: MAX_QUEUE, size: (chunk) => chunk?.byteLength ?? 0 },
    )
    this.response = new Response(body, { headers: HEADERS })
  }

  /** Sends an encoded event or comment, which other streams may send too. Closes the stream if the player reads too slowly. */
  send(part: Uint8Array): void {
    const controller = this.#controller
    if (!controller) return
    if ((controller.desiredSize ?? 0) <= 0) return this.close()
    controller.enqueue(part)
  }

  close(): void {
    const controller = this.#controller
    this.#end()
    try {
      controller?.close()
    } catch {
      // The reader has gone already.
    }
  }

  #end(): void {
    if (!this.#controller) return
    this.#controller = undefined
    this.#onEnd()
  }
}
