/** One process of a game's backend, controlled by messages of its parent: `{ task, host, redis, … }`. Uses the built package, as a game would. */
import process from 'node:process'
import { ApplicationClient, botToken, undiciTransport } from 'foyer-sdk/server'
import { redisRateLimitStore } from 'foyer-sdk/redis'
import { Redis } from 'ioredis'
import { Pool } from 'undici'

const GENEROUS = { limit: 1_000_000, per: 1000 }

const tasks = {
  /** Reads a lobby repeatedly, in twenty concurrent loops, until the service is gone. */
  async read({ lobbies }, { lobby }) {
    const line = async () => {
      for (;;) await lobbies.get(lobby)
    }
    await Promise.all(Array.from({ length: 20 }, line)).catch(() => undefined)
  },
  /** Increments a counter in a lobby's metadata, and appends a unique name to a list, with that many concurrent calls. Sends the outcome of each. */
  async count({ lobbies }, { lobby, times, name }) {
    const add = (_, index) =>
      lobbies.updateMetadata(lobby, ({ count = '0', list = '' }) => ({ count: String(Number(count) + 1), list: `${list}${name}${index} ` }))
    const ends = await Promise.allSettled(Array.from({ length: times }, add))
    process.send(ends.map(({ reason }, index) => [`${name}${index}`, reason?.code ?? 'resolved']))
  },
}

async function work({ name, host, redis: path, processes = 4, limit, requestTimeout, maxWait, isAlone, task, ...rest }) {
  const redis = new Redis({ path })
  // While the server is down, every connection attempt emits one.
  redis.on('error', () => undefined)
  const pool = new Pool(host, { connections: 50 })
  const client = new ApplicationClient({
    applicationId: '1234567890123456789',
    credentials: botToken(name),
    service: { host, limits: { get_lobby: GENEROUS, 'PATCH /lobbies/{lobby.id}': GENEROUS, global: limit } },
    transport: undiciTransport(pool),
    ...(!isAlone && { rateLimitStore: redisRateLimitStore(redis, { prefix: 'processes', processes }) }),
    requestTimeout,
    maxWait,
    onRateLimitStoreChanged: ({ isAway }) => process.send(isAway ? 'away' : 'back'),
  })
  await tasks[task](client, { ...rest, name })
  process.send('done')
  client.close()
  await pool.destroy()
  redis.disconnect()
  process.disconnect()
}

process.once('message', (order) => void work(order))
process.on('disconnect', () => process.exit())
process.send('ready')
