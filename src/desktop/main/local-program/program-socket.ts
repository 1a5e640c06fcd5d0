/** Port to the service's program: one connected socket, whose owner has been checked. */
import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { HostPort } from '../../../client/activity/host-window'
import type { Clock } from '../../../shared/foundation/clock'
import type { Log } from '../../../shared/foundation/log-entry'
import { encodeFrame, FrameReader, OPCODE } from './frame-codec'
import { findSocket } from './own-socket'
import { addressesIn, isSandboxFolder, type Machine, socketFolders } from './program-address'

/** Time in ms that a program has to accept a connection. */
const CONNECT_TIMEOUT = 2000
/** Bytes that wait for a program that does not read. More end the connection. */
const MAX_UNREAD = 1_048_576

export interface SocketOptions {
  machine: Machine
  brand: string
  /** The only folder to look in. Default: those of the machine. */
  folder: string | undefined
  clock: Clock
  log: Log
}

/** Connects to the first program that answers and belongs to this user; undefined if there is none. Never rejects. */
export async function openProgramSocket(options: SocketOptions): Promise<HostPort | undefined> {
  const { machine, brand, log } = options
  for (const folder of await foldersOf(options))
    for (const address of addressesIn(folder, brand, machine)) {
      const found = await findSocket(address, machine.platform)
      if (found === 'foreign') log('warn', 'desktop.foreign_socket')
      if (typeof found === 'string') continue
      const socket = await open(found.path, options.clock)
      if (!socket) continue
      // Nothing is written to a socket that took the place of the checked one meanwhile.
      const still = await findSocket(address, machine.platform)
      if (typeof still === 'object' && still.identity === found.identity) return portOf(socket, log)
      socket.destroy()
    }
  return undefined
}

async function foldersOf({ machine, folder }: SocketOptions): Promise<(string | undefined)[]> {
  if (folder !== undefined) return [folder]
  if (machine.platform === 'win32') return [undefined]
  const roots = socketFolders(machine)
  const [runtime = '/tmp'] = roots
  const names = await Promise.all([
    list(runtime),
    list(join(runtime, 'app')).then((apps) => apps.map((app) => `app/${app}`)),
  ])
  const sandboxes = names.flat().filter(isSandboxFolder)
  return [...roots, ...sandboxes.map((name) => join(runtime, name))]
}

const list = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/** Resolves with undefined if nobody listens. */
function open(path: string, clock: Clock): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const end = (outcome: Socket | undefined) => {
      cancel()
      socket.off('error', fail)
      resolve(outcome)
    }
    const fail = () => {
      // A late error must not reach the process.
      socket.on('error', () => undefined).destroy()
      end(undefined)
    }
    const cancel = clock.after(CONNECT_TIMEOUT, fail)
    socket.once('error', fail).once('connect', () => end(socket))
  })
}

/** A connection that ends says so as a host does, with the code of a normal end. */
function portOf(socket: Socket, log: Log): HostPort {
  const write = (opcode: number, payload: unknown) => {
    if (socket.destroyed) return
    socket.write(encodeFrame(opcode, payload))
    if (socket.writableLength > MAX_UNREAD) socket.destroy()
  }
  socket.on('error', () => undefined)
  return {
    post: ([opcode, payload]) => write(opcode, payload),
    listen(receive, signal) {
      const reader = new FrameReader()
      signal.addEventListener('abort', () => socket.destroy())
      socket.on('data', (chunk: Buffer) => {
        try {
          for (const { opcode, payload } of reader.read(chunk))
            if (opcode === OPCODE.ping) write(OPCODE.pong, payload)
            else receive([opcode, payload])
        } catch {
          log('warn', 'desktop.malformed')
          socket.destroy()
        }
      })
      socket.on('close', () => receive([OPCODE.close, {}]))
    },
  }
}
