/** Starts a real Redis server for one test file, or says why there is none. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface RedisServer {
  /** Of its socket. A port that is free now may be taken when the server starts, or starts again. */
  readonly path: string
  /** Ends the server as a crash does. */
  kill(): Promise<void>
  /** Starts it again at the same place, with nothing in it. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Why no server can be started here; undefined when one can. */
export function missingRedis(): string | undefined {
  const { status } = spawnSync('redis-server', ['--version'])
  return status === 0 ? undefined : 'redis-server is not installed (Debian: apt-get install redis-server)'
}

/** A server with nothing in it that writes nothing to disk. */
export async function startRedis(): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), 'foyer-redis-'))
  const path = join(directory, 'socket')
  let server: ChildProcess | undefined
  const start = async () => {
    const options = ['--port', '0', '--unixsocket', path, '--save', '', '--appendonly', 'no', '--dir', directory]
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
    async close() {
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
