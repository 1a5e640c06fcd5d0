/** Starts a real Redis server for one test file, or returns the reason why it cannot. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface RedisServer {
  /** Path of its socket. A port that is free now may be in use when the server starts, or restarts. */
  readonly path: string
  /** Kills the server, as in a crash. */
  kill(): Promise<void>
  /** Sends it a signal: `SIGSTOP` freezes it until `SIGCONT`. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Restarts it at the same path, empty unless it is durable. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Returns the reason why no server can be started; undefined if one can. */
export function missingRedis(): string | undefined {
  const { status } = spawnSync('redis-server', ['--version'])
  return status === 0 ? undefined : 'redis-server is not installed (Debian: apt-get install redis-server)'
}

/** Starts an empty server. It writes nothing to disk, unless `isDurable`. */
export async function startRedis({ isDurable = false }: { isDurable?: boolean } = {}): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), 'foyer-redis-'))
  const path = join(directory, 'socket')
  let server: ChildProcess | undefined
  const start = async () => {
    const options = [
      '--port',
      '0',
      '--unixsocket',
      path,
      '--save',
      '',
      '--appendonly',
      isDurable ? 'yes' : 'no',
      '--appendfsync',
      'always',
      '--dir',
      directory,
    ]
    server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise<void>((resolve, reject) => {
      server?.once('exit', (code) => reject(new Error(`redis-server ended with ${code}.`)))
      server?.stdout?.on('data', (text: Buffer) => text.includes('eady to accept connections') && resolve())
    })
  }
  const kill = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server?.once('exit', resolve))
    server.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    path,
    start,
    kill,
    signal: (signal) => void server?.kill(signal),
    async close() {
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
