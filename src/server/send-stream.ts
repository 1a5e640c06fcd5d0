/** Sends event streams through a Node response, and closes the connections of clients that do not read. */
import { afterUnref, systemClock } from '../shared/foundation/clock'
import { type EventStreamSink, takeEventSource } from './hub/event-stream-response'

/** Required properties of a Node `http` response, also of Express. */
export interface NodeResponse {
  /** Status of the response. */
  statusCode: number
  /** True after the head was sent. */
  readonly headersSent?: boolean | undefined
  /** Sets a header. */
  setHeader(name: string, value: string | readonly string[]): unknown
  /** Sends the body and ends the response. */
  end(body?: Uint8Array): unknown
  /** Sends a part of the body. Returns false if the client reads too slowly; `drain` follows. Required for event streams. */
  write?(part: Uint8Array): boolean
  /** Adds a listener for `close` and `drain`. Required for event streams. */
  on?(event: 'close' | 'drain', listener: () => void): unknown
  /** Bytes that wait for a client that reads too slowly. */
  writableLength?: number
  /** Closes the connection without sending what waits. Required to get rid of clients that read too slowly. */
  destroy?(): unknown
}

type StreamingResponse = NodeResponse & Required<Pick<NodeResponse, 'write' | 'on'>>

export const isStreaming = (target: NodeResponse): target is StreamingResponse =>
  target.write !== undefined && target.on !== undefined

/** Connection to a client that receives a stream. */
export interface Connection {
  readonly target: StreamingResponse
  isClosed: boolean
  onClose: () => void
}

export function watchConnection(target: StreamingResponse): Connection {
  const connection: Connection = { target, isClosed: false, onClose: () => undefined }
  target.on('close', () => {
    connection.isClosed = true
    connection.onClose()
  })
  return connection
}

/** Sends the body of an event stream, after its head. */
export async function sendStream(connection: Connection, response: Response): Promise<void> {
  const source = connection.target.writableLength === undefined ? undefined : takeEventSource(response)
  connection.onClose = source?.cancel ?? (() => void response.body?.cancel().catch(() => undefined))
  if (connection.isClosed) return connection.onClose()
  if (source) source.start(new NodeSink(connection))
  else await sendBody(connection, response)
}

/** ms in which a client has to receive the last parts of a stream. */
const LAST_PARTS = 5000

/** Ends a stream. A client that does not read would keep its connection for ever: it is closed. */
function endStream(connection: Connection): void {
  connection.target.end()
  const cancel = afterUnref(systemClock, LAST_PARTS, () => connection.target.destroy?.())
  if (connection.isClosed) cancel()
  connection.onClose = cancel
}

/** Sends the parts as they arrive, no faster than the client reads them. */
async function sendBody(connection: Connection, response: Response): Promise<void> {
  const { target } = connection
  const reader = response.body?.getReader()
  let onFree: (() => void) | undefined
  target.on('drain', () => onFree?.())
  connection.onClose = () => {
    void reader?.cancel().catch(() => undefined)
    onFree?.()
  }
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done || connection.isClosed) break
      // A body that fails meanwhile ends the wait: its source has given up a client that does not read.
      if (!target.write(value))
        await Promise.race([new Promise<void>((resolve) => (onFree = resolve)), reader?.closed])
    }
    endStream(connection)
  } catch {
    target.destroy?.()
  }
}

/** Sends parts immediately; their source bounds how many wait. */
class NodeSink implements EventStreamSink {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get waiting(): number {
    return this.#connection.target.writableLength ?? 0
  }

  write(part: Uint8Array): void {
    this.#connection.target.write(part)
  }

  end(): void {
    endStream(this.#connection)
  }

  abort(): void {
    const { target } = this.#connection
    if (target.destroy) target.destroy()
    else target.end()
  }
}
