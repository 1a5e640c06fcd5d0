/** One process of a game's shop, which may be told at which point to end. Uses the built package, as a game would. */
import { createServer } from 'node:http'
import process from 'node:process'
import { redisPurchaseStore } from 'foyer-sdk/redis'
import {
  ApplicationClient,
  botToken,
  createEventHandler,
  createPurchaseDesk,
  toNodeListener,
} from 'foyer-sdk/server'
import { Redis } from 'ioredis'

/** The game's database: a row for each entitlement, which adds to the player's balance once, and a record of all calls. */
const ADD_ITEM = `
redis.call('HINCRBY', 'calls', ARGV[1], 1)
if ARGV[3] == 'false' then redis.call('HINCRBY', 'first', ARGV[1], 1) end
if redis.call('HSETNX', 'items', ARGV[1], ARGV[2]) == 1 then redis.call('HINCRBY', 'balance', ARGV[2], 1) end
`

/** Ends the process when it reaches the point for the given time, as a crash does: nothing is cleaned up. */
function createEnd({ at, after }) {
  let left = after
  return (point) => {
    if (point === at && --left <= 0) process.kill(process.pid, 'SIGKILL')
  }
}

/** Purchases whose reads and consumptions may be the last of this process. */
function endingPurchases(purchases, reach) {
  const read = async (work) => {
    reach('before read')
    const found = await work()
    reach('after read')
    return found
  }
  return {
    applicationId: purchases.applicationId,
    skus: () => purchases.skus(),
    list: (...given) => read(() => purchases.list(...given)),
    get: (...given) => read(() => purchases.get(...given)),
    async consume(...given) {
      await purchases.consume(...given)
      reach('after consume')
    },
  }
}

/** A store after whose claims and records the process may end. */
function endingStore(store, reach) {
  return {
    get: (key) => store.get(key),
    async claim(...given) {
      const before = await store.claim(...given)
      if (before !== 'busy') reach('after claim')
      return before
    },
    async settle(...given) {
      const isHeld = await store.settle(...given)
      reach('after record')
      return isHeld
    },
  }
}

function start({ host, applicationId, token, publicKey, redis: path, end }) {
  const redis = new Redis({ path })
  const service = { host, limits: { global: { limit: 100_000, per: 1000 } } }
  const client = new ApplicationClient({ applicationId, service, credentials: botToken(token) })
  const reach = createEnd(end)
  const desk = createPurchaseDesk({
    purchases: endingPurchases(client.purchases, reach),
    store: endingStore(redisPurchaseStore(redis, { logger: () => undefined }), reach),
    async grant({ entitlementId, userId, isRepeated }) {
      await redis.eval(ADD_ITEM, 0, entitlementId, userId, String(isRepeated))
      reach('after grant')
    },
    revoke: ({ entitlementId }) => redis.hincrby('revoked', entitlementId, 1),
    grantTimeout: 500,
    onError: () => undefined,
  })
  const redeem = (entitlement) => desk.redeemEvent(entitlement)
  // Each process has replays of its own: an event that reaches both runs in both.
  const events = createEventHandler({
    publicKey,
    on: { ENTITLEMENT_CREATE: redeem, ENTITLEMENT_DELETE: redeem },
  })
  const listener = toNodeListener(async (request) => {
    const player = new URL(request.url).searchParams.get('player')
    if (!player) return events(request)
    const { failed } = await desk.redeem(player)
    return Response.json({ failed: failed.length })
  })
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
}

process.once('message', start)
process.on('disconnect', () => process.exit())
process.send('ready')
