/** One process of a game's backend, controlled by messages of its parent: `{ task, host, redis, … }`. Uses the built package, as a game would. */
import process from 'node:process'
import { ApplicationClient, botToken, undiciTransport } from 'foyer-sdk/server'
import { redisRateLimitStore } from 'foyer-sdk/redis'
import { Pool } from 'undici'
import { connectRedis } from './connect-redis.mjs'

const GENEROUS = { limit: 1_000_000, per: 1000 }

const tasks = {
  /** Reads a lobby repeatedly, in concurrent loops (20 by default), until the service is gone. */
  async read({ lobbies }, { lobby, loops = 20 }) {
    const line = async () => {
      for (;;) await lobbies.get(lobby)
    }
    await Promise.all(Array.from({ length: loops }, line)).catch(() => undefined)
  },
  /** Increments a counter in a lobby's metadata, and appends a unique name to a list, with that many concurrent calls. Sends the outcome of each. */
  async count({ lobbies }, { lobby, times, name }) {
    const add = (_, index) =>
      lobbies.updateMetadata(lobby, ({ count = '0', list = '' }) => ({
        count: String(Number(count) + 1),
        list: `${list}${name}${index} `,
      }))
    const ends = await Promise.allSettled(Array.from({ length: times }, add))
    process.send(ends.map(({ reason }, index) => [`${name}${index}`, reason?.code ?? 'resolved']))
  },
}

async function work({ name, clients = 1, ...order }) {
  const pool = new Pool(order.host, { connections: 50 })
  const names = Array.from({ length: clients }, (_, index) => (clients === 1 ? name : `${name}${index}`))
  await Promise.all(names.map((each) => runClient({ ...order, name: each, pool })))
  process.send('done')
  await pool.destroy()
  process.disconnect()
}

async function runClient({
  name,
  host,
  pool,
  redis: where,
  by,
  processes = 4,
  limit,
  requestTimeout,
  maxWait,
  isAlone,
  task,
  ...rest
}) {
  const redis = await connectRedis(where, { by })
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
  client.close()
  await (redis.disconnect ?? redis.destroy).call(redis)
}

process.once('message', (order) => void work(order))
process.on('disconnect', () => process.exit())
process.send('ready')
