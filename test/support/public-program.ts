/** The service's program on a computer, written from the public page of its local socket alone: frames, handshake, commands and events. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Payload {
  cmd?: string
  evt?: string
  nonce?: string
  args?: Record<string, unknown>
  data?: unknown
}

/** An Error refuses with the code that its message is; undefined never answers. */
export type Respond = (payload: Payload) => object | Error | undefined

/** A frame as the page describes it. */
export function frameOf(opcode: number, payload: unknown): Buffer {
  const text = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload), 'utf8')
  const frame = Buffer.alloc(8 + text.length)
  frame.writeInt32LE(opcode, 0)
  frame.writeInt32LE(text.length, 4)
  text.copy(frame, 8)
  return frame
}

export const READY = {
  v: 1,
  config: { cdn_host: 'cdn.service.test', api_endpoint: '//service.test/api', environment: 'production' },
  user: {
    id: '80351110224678912',
    username: 'nelly',
    discriminator: '0',
    avatar: null,
    global_name: 'Nelly',
  },
}

export class PublicProgram {
  readonly folder: string
  /** Everything that any client wrote: opcode and payload. */
  readonly received: [opcode: number, payload: Payload & Record<string, unknown>][] = []
  readonly sockets: Socket[] = []
  /** Number of clients so far. */
  connections = 0
  /** Data of READY; a number: closes with this code instead; null: does not answer. */
  ready: object | number | null = READY
  respond: Respond = () => ({})
  #server: Server | undefined

  constructor(folder = mkdtempSync(join(tmpdir(), 'foyer-program-'))) {
    this.folder = folder
  }

  path(number = 0, name = 'service'): string {
    return join(this.folder, `${name}-ipc-${number}`)
  }

  async start(path = this.path()): Promise<this> {
    const server = createServer((socket) => this.#serve(socket))
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, resolve)
    })
    return this
  }

  /** Ends as a process that is killed: its socket's file stays if `path` is given another name. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    for (const socket of this.sockets.splice(0)) socket.destroy()
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  }

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  commands(name: string): Payload[] {
    return this.received.filter(([, { cmd }]) => cmd === name).map(([, payload]) => payload)
  }

  write(bytes: Buffer): void {
    for (const socket of this.sockets) socket.write(bytes)
  }

  event(evt: string, data: unknown): void {
    this.write(frameOf(1, { cmd: 'DISPATCH', evt, data, nonce: null }))
  }

  #serve(socket: Socket): void {
    this.sockets.push(socket)
    this.connections += 1
    let bytes = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      while (bytes.length >= 8 && bytes.length >= 8 + bytes.readInt32LE(4)) {
        const end = 8 + bytes.readInt32LE(4)
        this.#receive(socket, bytes.readInt32LE(0), JSON.parse(bytes.toString('utf8', 8, end)))
        bytes = bytes.subarray(end)
      }
    })
  }

  #receive(socket: Socket, opcode: number, payload: Payload & Record<string, unknown>): void {
    this.received.push([opcode, payload])
    if (opcode === 0) this.#greet(socket)
    if (opcode !== 1) return
    const { cmd, evt, nonce } = payload
    const data = this.respond(payload)
    if (data instanceof Error)
      socket.write(
        frameOf(1, { cmd, nonce, evt: 'ERROR', data: { code: Number(data.message), message: 'refused' } }),
      )
    else if (data) socket.write(frameOf(1, { cmd, nonce, evt: null, data: { evt, ...data } }))
  }

  #greet(socket: Socket): void {
    if (this.ready === null) return
    if (typeof this.ready === 'number') socket.end(frameOf(2, { code: this.ready, message: 'refused' }))
    else socket.write(frameOf(1, { cmd: 'DISPATCH', evt: 'READY', data: this.ready, nonce: null }))
  }
}
