/** Clients of every package that can bring a backend to Redis, connected to a server by its socket. */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Redis as HttpRedis } from '@upstash/redis'
import { Redis } from 'ioredis'
import { Redis as Valkey } from 'iovalkey'
import { createClient } from 'redis'
import { createClient as createClient5 } from 'redis-5'
import { listen } from './loopback'

/** Opens one, and returns it with the function that closes it. */
const open = {
  async ioredis(path: string) {
    const client = new Redis({ path, maxRetriesPerRequest: 1 })
    client.on('error', () => undefined)
    return { client, close: async () => client.disconnect() }
  },
  async iovalkey(path: string) {
    const client = new Valkey({ path, maxRetriesPerRequest: 1 })
    client.on('error', () => undefined)
    return { client, close: async () => client.disconnect() }
  },
  async 'node-redis 5'(path: string) {
    const client = createClient5({ socket: { path, tls: false } })
    client.on('error', () => undefined)
    await client.connect()
    return { client, close: async () => client.destroy() }
  },
  async 'node-redis 6'(path: string) {
    const client = createClient({ socket: { path, tls: false } })
    client.on('error', () => undefined)
    await client.connect()
    return { client, close: async () => client.destroy() }
  },
  /** Over a bridge that does for a local server what Upstash does. */
  async 'Upstash over HTTP'(path: string) {
    const redis = new Redis({ path })
    const server = createServer((request, response) => {
      // oxlint-disable-next-line unicorn/consistent-function-scoping -- it belongs to this server
      const run = async ([name = '', ...args]: string[]) =>
        redis.call(name, ...args).then(
          (result) => ({ result }),
          (error: Error) => ({ error: error.message }),
        )
      const answer = async () => {
        const given = JSON.parse((await buffer(request)).toString())
        const reply = request.url === '/pipeline' ? await Promise.all(given.map(run)) : await run(given)
        response
          .writeHead('error' in reply ? 400 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(reply))
      }
      void answer()
    })
    const { port, close } = await listen(server)
    const client = new HttpRedis({
      url: `http://127.0.0.1:${port}`,
      token: 'x',
      retry: false,
      responseEncoding: false,
    })
    const closeAll = async () => {
      await close()
      redis.disconnect()
    }
    return { client, close: closeAll }
  },
}

export type RedisClientName = keyof typeof open
export type OpenedRedis = Awaited<ReturnType<(typeof open)[RedisClientName]>>

/** By the name of the package. */
export const redisClients: Readonly<Record<RedisClientName, (path: string) => Promise<OpenedRedis>>> = open
