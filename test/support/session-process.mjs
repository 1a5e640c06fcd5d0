/** One process of a backend that holds sessions. Uses the built package, as a game would. */
import process from 'node:process'
import { redisSessionStore } from 'foyer-sdk/redis'
import { clientSecret, createSessionHandler } from 'foyer-sdk/server'
import { Redis } from 'ioredis'

/** Asks for tokens `count` times at once with the same cookie, and sends the status and the access token of each response. */
async function ask({ redis: path, prefix, host, applicationId, secret, origin, headers, body, count }) {
  const redis = new Redis({ path })
  const store = redisSessionStore(redis, { prefix, logger: () => undefined })
  const handler = createSessionHandler({
    applicationId,
    service: { host },
    credentials: clientSecret(secret),
    origins: [origin],
    store,
  })
  const call = async () => {
    const response = await handler(new Request(`${origin}/session/token`, { method: 'POST', headers, body }))
    return { status: response.status, token: (await response.json()).access_token }
  }
  const answers = await Promise.all(Array.from({ length: count }, call))
  handler.close()
  redis.disconnect()
  process.send(answers)
  process.disconnect()
}

process.once('message', (order) => void ask(order))
process.send('ready')
