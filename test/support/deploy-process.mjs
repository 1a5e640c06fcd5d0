/** Process that deploys commands, controlled by messages of its parent: `{ host, applicationId, token, redis, commands }`. Uses the built package. */
import process from 'node:process'
import { redisRateLimitStore } from 'foyer-sdk/redis'
import { ApplicationClient, botToken } from 'foyer-sdk/server'
import { Redis } from 'ioredis'

/** One request for each change, so that a deployment has a middle. */
const using = 'steps'

const onStep = ({ done }) => process.send({ done })

async function deploy({ host, applicationId, token, redis: path, commands }) {
  const redis = new Redis({ path })
  const rateLimitStore = redisRateLimitStore(redis, { prefix: 'deploy' })
  const client = new ApplicationClient({
    applicationId,
    service: { host },
    credentials: botToken(token),
    rateLimitStore,
  })
  const { plan, requests } = await client.commands.global.sync(commands, { using, onStep })
  process.send({ requests, steps: plan.steps.length })
  client.close()
  redis.disconnect()
  process.disconnect()
}

process.once('message', (order) => void deploy(order))
process.on('disconnect', () => process.exit())
process.send({ ready: true })
