/** Starts a real Redis server for one test file, or says why there is none. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface RedisServer {
  readonly port: number
  /** Ends the server as a crash does. */
  kill(): Promise<void>
  /** Starts it again on the same port, with nothing in it. */
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
  const port = await freePort()
  const directory = mkdtempSync(join(tmpdir(), 'foyer-redis-'))
  let server: ChildProcess | undefined
  const start = async () => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory]
    server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise<void>((resolve, reject) => {
      server?.once('exit', (code) => reject(new Error(`redis-server ended with ${code}.`)))
      server?.stdout?.on('data', (text: Buffer) => text.includes('Ready to accept connections') && resolve())
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
    port,
    start,
    kill,
    async close() {
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || !address) throw new Error('No port is free.')
  return address.port
}
