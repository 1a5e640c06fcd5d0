/** Response with an event stream whose parts a Node listener sends itself: a web stream for each player keeps 7 KB of heap more. */
import { ConfigurationError } from '../../shared/foundation/errors'

/** Receives the parts of an event stream. */
export interface EventStreamSink {
  /** Bytes that wait for a slow reader. */
  readonly waiting: number
  /** Sends a part. */
  write(part: Uint8Array): void
  /** Ends the stream after the parts that wait. */
  end(): void
  /** Ends the stream at once, without the parts that wait: the reader is too slow. */
  abort(): void
}

/** Sends an event stream. */
export interface EventStreamSource {
  /** Starts sending. Called once. */
  readonly start: (sink: EventStreamSink) => void
  /** Called when the reader has gone. */
  readonly cancel: () => void
}

const TAKE_SOURCE = Symbol('takeSource')

interface EventStreamResponse extends Response {
  readonly [TAKE_SOURCE]: () => EventStreamSource | undefined
}

const CLONE_REMEDY =
  'This stream has no end: exclude it from middleware that reads whole responses, such as caches and hashes'

/** Creates a response whose body consists of the parts of the source. */
export function createEventStreamResponse(
  source: EventStreamSource,
  headers: Record<string, string>,
): Response {
  let unused: EventStreamSource | undefined = source
  const takeSource = () => {
    const taken = unused
    unused = undefined
    return taken
  }
  const body = new ReadableStream<Uint8Array>(
    { pull: (controller) => takeSource()?.start(new BodySink(controller)), cancel: () => source.cancel() },
    // Nothing is read in advance: a listener that takes the source must receive all parts.
    { highWaterMark: 0, size: (part) => part?.byteLength ?? 0 },
  )
  const clone = (): never => {
    takeSource()?.cancel()
    throw new ConfigurationError('unsupported', 'response.clone', { remedy: CLONE_REMEDY })
  }
  return Object.assign(new Response(body, { headers }), { [TAKE_SOURCE]: takeSource, clone })
}

/** Returns the source, to send it instead of the body. Undefined for any other response, and after the first read of the body. */
export const takeEventSource = (response: Response): EventStreamSource | undefined =>
  isEventStreamResponse(response) ? response[TAKE_SOURCE]() : undefined

const isEventStreamResponse = (response: Response): response is EventStreamResponse => TAKE_SOURCE in response

/** Stores the parts until it is known who receives them. */
export class PartQueue implements EventStreamSink {
  #parts: Uint8Array[] = []
  #waiting = 0
  #isEnded = false

  get waiting(): number {
    return this.#waiting
  }

  write(part: Uint8Array): void {
    this.#parts.push(part)
    this.#waiting += part.byteLength
  }

  end(): void {
    this.#isEnded = true
  }

  abort(): void {
    this.#parts = []
    this.end()
  }

  moveTo(sink: EventStreamSink): void {
    for (const part of this.#parts) sink.write(part)
    if (this.#isEnded) sink.end()
  }
}

/** Queues the parts in the body. */
class BodySink implements EventStreamSink {
  readonly #controller: ReadableStreamDefaultController<Uint8Array>

  constructor(controller: ReadableStreamDefaultController<Uint8Array>) {
    this.#controller = controller
  }

  get waiting(): number {
    return -(this.#controller.desiredSize ?? 0)
  }

  write(part: Uint8Array): void {
    this.#controller.enqueue(part)
  }

  end(): void {
    try {
      this.#controller.close()
    } catch {
      // The reader has gone already.
    }
  }

  abort(): void {
    this.#controller.error(new Error('The client reads too slowly'))
  }
}
