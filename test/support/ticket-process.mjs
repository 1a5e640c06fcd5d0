/** One process of a game's own server, which redeems tickets. Uses the built package, as a game would. */
import process from 'node:process'
import { redisStore } from 'foyer-sdk/redis'
import { createPlayerTickets } from 'foyer-sdk/server'
import { Redis } from 'ioredis'

const verify = async () => {
  throw new Error('Nobody asks for a ticket here.')
}

/** Redeems all tickets at once, and sends the player or the code of the refusal for each. */
async function redeem({ redis: path, applicationId, tickets }) {
  const redis = new Redis({ path })
  const own = createPlayerTickets({ applicationId, verify, purposes: ['match'], store: redisStore(redis) })
  const ends = await Promise.allSettled(tickets.map((ticket) => own.redeem(ticket, { purpose: 'match' })))
  redis.disconnect()
  process.send(ends.map(({ value, reason }) => value?.id ?? reason.code))
  process.disconnect()
}

process.once('message', (order) => void redeem(order))
process.send('ready')
