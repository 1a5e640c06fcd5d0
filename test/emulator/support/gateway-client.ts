/** A bot's side of the gateway, one frame at a time. */
import type { Emulator } from 'foyer-emulator'
import { WebSocket, type ClientOptions } from 'ws'

export interface Frame {
  op: number
  d: Record<string, unknown>
  s: number | null
  t: string | null
}

/** Intents: guilds, messages in guilds, direct messages, contents of messages. */
export const GUILDS = 1 << 0
export const GUILD_MESSAGES = 1 << 9
export const DIRECT_MESSAGES = 1 << 12
export const MESSAGE_CONTENT = 1 << 15

export class GatewayClient {
  readonly socket: WebSocket
  /** Everything that came, in order. */
  readonly frames: Frame[] = []
  readonly closed: Promise<{ code: number; reason: string }>
  #taken = 0
  #wake: () => void = () => undefined

  constructor(url: string, options: ClientOptions = {}) {
    this.socket = new WebSocket(url, options)
    this.socket.on('message', (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString()) as Frame)
      this.#wake()
    })
    this.socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => {
      this.socket.once('close', (code, reason) => {
        resolve({ code, reason: reason.toString() })
        this.#wake()
      })
    })
  }

  /** Events that came, by name. */
  get events(): string[] {
    return this.frames.flatMap(({ t }) => t ?? [])
  }

  /** Number of the last event that came. */
  get sequence(): number {
    return this.frames.findLast(({ s }) => s !== null)?.s ?? 0
  }

  /** The next frame that was not taken yet and fits. */
  async next(fits: (frame: Frame) => boolean = () => true): Promise<Frame> {
    for (;;) {
      while (this.#taken < this.frames.length) {
        const frame = this.frames[this.#taken++] as Frame
        if (fits(frame)) return frame
      }
      if (this.socket.readyState >= WebSocket.CLOSING) {
        const { code, reason } = await this.closed
        throw new Error(`closed with ${code}: ${reason}`)
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  event(name: string): Promise<Frame> {
    return this.next(({ t }) => t === name)
  }

  opcode(op: number): Promise<Frame> {
    return this.next((frame) => frame.op === op)
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  async end(): Promise<void> {
    this.socket.terminate()
    await this.closed
  }
}

/** Begins a session, and returns READY. */
export async function identify(
  client: GatewayClient,
  { application }: Pick<Emulator, 'application'>,
  intents = GUILDS,
): Promise<Frame> {
  await client.opcode(10)
  client.send({ op: 2, d: { token: application.botToken, intents, properties: PROPERTIES } })
  return client.event('READY')
}

export const PROPERTIES = { os: 'linux', browser: 'test', device: 'test' }

/** A text that changes no state comes back when everything before it has been read. */
export async function settled(client: GatewayClient): Promise<void> {
  client.send({ op: 1, d: null })
  await client.opcode(11)
}
