/**
 * Uses the built package as a game's backend in the runtime that runs this file: `use-backend.mjs JSON`, with `url`, `applicationId`, `botToken`
 * and `redis` (path of its socket). Prints one line of JSON: `ok` or the error of each part.
 */
import process from 'node:process'
import { redisRateLimitStore } from 'foyer-sdk/redis'
import { ApplicationClient, botToken, createInteractionHandler, undiciTransport } from 'foyer-sdk/server'

const given = JSON.parse(process.argv[2])
const LIMIT = { limit: 5, per: 500 }

const connect = (options = {}) =>
  new ApplicationClient({
    applicationId: given.applicationId,
    credentials: botToken(given.botToken),
    service: { host: given.url, limits: { get_lobby: LIMIT } },
    ...options,
  })

const hex = (bytes) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

function check(condition, message) {
  if (!condition) throw new Error(message)
}

/** Creates a lobby and syncs a command. */
async function useService(client) {
  const lobby = await client.lobbies.create({ metadata: { mode: 'ranked' } })
  const { metadata } = await client.lobbies.get(lobby.id)
  check(metadata?.mode === 'ranked', 'The lobby has other metadata.')
  await client.commands.global.sync([{ name: 'duel', description: 'Challenge another player' }])
  return lobby
}

const parts = {
  async server() {
    const client = connect()
    await useService(client)
    client.close()
  },
  async undici() {
    const { Pool } = await import('undici')
    const pool = new Pool(given.url)
    const client = connect({ transport: undiciTransport(pool) })
    await useService(client)
    client.close()
    await pool.destroy()
  },
  /** Two clients share a budget of 5 in half a second, which the service enforces. */
  async redis() {
    const { Redis } = await import('ioredis')
    const connections = [new Redis({ path: given.redis }), new Redis({ path: given.redis })]
    const refusals = []
    const clients = connections.map((redis) =>
      connect({
        rateLimitStore: redisRateLimitStore(redis, { processes: 2 }),
        onRateLimited: ({ by }) => refusals.push(by),
      }),
    )
    const lobby = await clients[0].lobbies.create({})
    await Promise.all(
      clients.flatMap((client) => Array.from({ length: 10 }, () => client.lobbies.get(lobby.id))),
    )
    check(refusals.length === 0, `${refusals.length} refusals`)
    for (const client of clients) client.close()
    for (const redis of connections) redis.disconnect()
  },
  /** A signed PING is answered, another body with its signature is refused. */
  async interactions() {
    const { publicKey, privateKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
    const handle = createInteractionHandler({
      publicKey: hex(await crypto.subtle.exportKey('raw', publicKey)),
      commands: [],
    })
    const body = JSON.stringify({
      type: 1,
      id: '1',
      application_id: given.applicationId,
      token: 't',
      version: 1,
    })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = hex(
      await crypto.subtle.sign('Ed25519', privateKey, new TextEncoder().encode(timestamp + body)),
    )
    const headers = { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp }
    const send = (text) =>
      handle(new Request('https://game.example/', { method: 'POST', body: text, headers }))
    const altered = await send(body.replace('"t"', '"u"'))
    check(altered.status === 401, `An altered body is answered with ${altered.status}.`)
    const answer = await send(body)
    check(
      answer.status === 200 && (await answer.json()).type === 1,
      `The PING is answered with ${answer.status}.`,
    )
  },
}

const results = {}
for (const [name, use] of Object.entries(parts))
  results[name] = await use().then(
    () => 'ok',
    (error) => `${error.code ?? error.name}: ${error.message}`,
  )
console.log(JSON.stringify(results))
process.exit()
