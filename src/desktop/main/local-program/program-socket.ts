/** Port to the service's program: the address where it listens, one connected socket whose owner has been checked, and the frames of it. */
import { readdir, lstat, realpath } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join, basename, isAbsolute } from 'node:path'
import type { HostPort } from '../../../client/activity/host-window'
import type { Clock } from '../../../shared/foundation/clock'
import type { Log } from '../../../shared/foundation/log-entry'
import { ProtocolError } from '../../../shared/foundation/errors'
import { readJson } from '../../../shared/foundation/untrusted-values'

/** Time in ms that a program has to accept a connection. */
const CONNECT_TIMEOUT = 2000
/** Bytes that wait for a program that does not read. More end the connection. */
const MAX_UNREAD = 1_048_576

interface SocketOptions {
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

/** Socket of this user. */
interface OwnSocket {
  /** Path without links. */
  readonly path: string
  /** Changes when another socket takes its place. */
  readonly identity: string
}

/** `none`: there is no socket. `foreign`: it, or a link on the way, belongs to another user. */
type SocketFinding = OwnSocket | 'none' | 'foreign'

/**
 * Reads the owner of a socket, without connecting to it. The owner of a pipe of Windows cannot be read without native code, so each counts as
 * this user's: see docs/threats.md.
 */
async function findSocket(path: string, platform: string): Promise<SocketFinding> {
  if (platform === 'win32') return { path, identity: path }
  try {
    const link = await lstat(path)
    if (!isOwn(link)) return 'foreign'
    const target = link.isSymbolicLink() ? await realpath(path) : path
    const stats = link.isSymbolicLink() ? await lstat(target) : link
    if (!stats.isSocket()) return 'none'
    return isOwn(stats) ? { path: target, identity: `${stats.dev} ${stats.ino}` } : 'foreign'
  } catch {
    return 'none'
  }
}

const isOwn = ({ uid }: { uid: number }): boolean => uid === process.getuid?.()

/** Number of programs that may run at once: the stable one, a preview, a second account. */
const COUNT = 10
/** Variables that name a folder for sockets, in the order in which the program looks. */
const VARIABLES = ['XDG_RUNTIME_DIR', 'TMPDIR', 'TMP', 'TEMP'] as const

/** Names of folders in which a sandboxed program has its socket: `app/<id>` by Flatpak, `snap.<name>` by Snap. */
const SANDBOX = /^(?:app\/[\w.-]{1,128}|snap\.[\w.-]{1,128})$/

/** Computer, as far as addresses depend on it. */
export interface Machine {
  /** `process.platform`. */
  platform: string
  /** `process.env`. */
  env: Readonly<Record<string, string | undefined>>
}

/** Folders for sockets, without duplicates. Relative ones are ignored, since they depend on where the game was started. */
export function socketFolders({ env }: Machine): string[] {
  const named = VARIABLES.map((name) => env[name] ?? '').filter((folder) => isAbsolute(folder))
  return [...new Set([...named, '/tmp'])]
}

/** True for the folder of a sandboxed program, relative to a folder for sockets. */
const isSandboxFolder = (name: string): boolean => SANDBOX.test(name)

/** Addresses in one folder, in the order in which they are tried. On Windows a pipe has no folder; `folder` then is a part of its name. */
export function addressesIn(folder: string | undefined, brand: string, { platform }: Machine): string[] {
  const numbers = Array.from({ length: COUNT }, (_, number) => number)
  if (platform !== 'win32') return numbers.map((number) => join(folder ?? '/tmp', `${brand}-ipc-${number}`))
  const prefix = folder === undefined ? '' : `${basename(folder)}-`
  return numbers.map((number) => `\\\\?\\pipe\\${prefix}${brand}-ipc-${number}`)
}

/** Opcodes beside those of an Activity's host (`host-message.ts`). */
const OPCODE = { handshake: 0, frame: 1, close: 2, ping: 3, pong: 4 } as const

const HEADER = 8
/** Maximum length in bytes of a frame's JSON; the service's own library reads no longer one. */
export const MAX_FRAME = 65_536

/** Received frame. */
interface Frame {
  readonly opcode: number
  /** Undefined for text that is not JSON. */
  readonly payload: unknown
}

/** @throws ProtocolError `malformed_response` for a payload that is too long. */
export function encodeFrame(opcode: number, payload: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(payload) ?? 'null')
  if (text.length > MAX_FRAME) throw tooLong(text.length)
  const header = Buffer.alloc(HEADER)
  header.writeUInt32LE(opcode, 0)
  header.writeUInt32LE(text.length, 4)
  return Buffer.concat([header, text])
}

/** Reads frames from a stream of bytes, however it is cut. */
export class FrameReader {
  #chunks: Buffer[] = []
  #size = 0
  /** Bytes without which there is nothing to read. */
  #needed = HEADER

  /** Returns the frames that are now complete. @throws ProtocolError `malformed_response` for a length that no program sends. */
  read(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size < this.#needed) return []
    const bytes = Buffer.concat(this.#chunks)
    const frames: Frame[] = []
    let start = 0
    this.#needed = HEADER
    while (bytes.length - start >= HEADER) {
      const length = bytes.readUInt32LE(start + 4)
      if (length > MAX_FRAME) throw tooLong(length)
      const end = start + HEADER + length
      if (end > bytes.length) {
        this.#needed = HEADER + length
        break
      }
      const payload = readJson(bytes.toString('utf8', start + HEADER, end))
      frames.push({ opcode: bytes.readUInt32LE(start), payload })
      start = end
    }
    const rest = bytes.subarray(start)
    this.#chunks = [rest]
    this.#size = rest.length
    return frames
  }
}

const tooLong = (length: number): ProtocolError =>
  new ProtocolError('malformed_response', 'desktop frame', {
    path: 'length',
    expected: `at most ${MAX_FRAME} bytes`,
    got: String(length),
  })
