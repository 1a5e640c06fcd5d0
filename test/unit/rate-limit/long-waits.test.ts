/** A 429 with an implausible wait, for the client of a backend, in virtual time. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FoyerError } from 'foyer-sdk'
import { MemoryRateLimitStores } from 'foyer-sdk/server'
import { ApplicationClient, botToken } from '../../../src/server'
import { rejection } from '../../support/settle'
import { VirtualClock } from './support/virtual-clock'

const LOBBY = '1287654321098765433'
const MINUTE = 60_000

let clock: VirtualClock
let budget: MemoryRateLimitStores
let clients: ApplicationClient[]
/** Requests that reached the service. */
let calls: string[]
/** Responses of the service instead of a lobby. */
let fault: ((call: string) => Response | undefined) | undefined

beforeEach(() => {
  clock = new VirtualClock()
  budget = new MemoryRateLimitStores(clock)
  clients = []
  calls = []
  fault = undefined
})
afterEach(() => {
  for (const client of clients) client.close()
})

function createClient(): ApplicationClient {
  const client = new ApplicationClient({
    applicationId: '1234567890123456789',
    credentials: botToken('secret'),
    service: { host: 'https://service.example', limits: { send_message: { limit: 5, per: 120 * MINUTE } } },
    clock,
    rateLimitStore: budget.store(),
    maxWait: 5000,
    fetch: async (url, { method = 'GET' }) => {
      const call = `${method} ${new URL(url).pathname.replace('/api/v10', '')}`
      calls.push(call)
      return fault?.(call) ?? Response.json({ id: LOBBY, application_id: '1', metadata: null, members: [] })
    },
  })
  clients.push(client)
  return client
}

/** The error code of a call; undefined if it succeeds. */
async function end(call: Promise<unknown>): Promise<unknown> {
  const ended = rejection(() => call)
  await clock.run(clock.time + 5000)
  return codeOf(await ended)
}

const codeOf = (error: unknown): unknown => (error instanceof FoyerError ? error.code : error)

const json429 = (body: object) => Response.json({ message: 'slow', ...body }, { status: 429 })
const html429 = () =>
  new Response('<h1>Too many requests</h1>', { status: 429, headers: { 'retry-after': '65000' } })

const FAULTS: [string, () => Response][] = [
  ['with global scope', () => json429({ retry_after: 65_000, global: true })],
  ['with the scope of one route', () => json429({ retry_after: 65_000, global: false })],
  ['without a scope', () => json429({ retry_after: 65_000 })],
  ['of a proxy, as an HTML page', html429],
]

describe('an implausible wait', () => {
  it.each(FAULTS)(
    '%s ends within five minutes, for the client that met it and for a new one',
    async (_, response) => {
      const client = createClient()
      fault = response
      expect(await end(client.lobbies.get(LOBBY))).toBe('rate_limited')
      fault = undefined
      await clock.run(5 * MINUTE)
      expect(await end(client.lobbies.get(LOBBY))).toBeUndefined()
      expect(await end(createClient().lobbies.get(LOBBY))).toBeUndefined()
    },
  )

  it('is probed once in five minutes while the service repeats it', async () => {
    const client = createClient()
    fault = () => json429({ retry_after: 65_000, global: true })
    for (let minute = 0; minute < 31; minute++) {
      await clock.run(minute * MINUTE)
      expect(await end(client.lobbies.get(LOBBY))).toBe('rate_limited')
    }
    expect(calls.length).toBeGreaterThan(3)
    expect(calls.length).toBeLessThanOrEqual(7)
  })

  it.each(FAULTS.slice(1))('%s blocks its own route and no other', async (_, response) => {
    const client = createClient()
    fault = (call) => (call.startsWith('GET') ? response() : undefined)
    expect(await end(client.lobbies.get(LOBBY))).toBe('rate_limited')
    expect(await end(client.lobbies.create())).toBeUndefined()
    expect(await end(createClient().lobbies.create())).toBeUndefined()
    expect(await end(client.lobbies.get(LOBBY))).toBe('rate_limited')
    expect(calls.filter((call) => call.startsWith('GET'))).toHaveLength(1)
  })

  it('is reported to the caller as five minutes at most', async () => {
    const client = createClient()
    fault = () => json429({ retry_after: 65_000, global: true })
    const call = rejection(() => client.lobbies.get(LOBBY))
    await clock.run(10)
    expect(await call).toMatchObject({ code: 'rate_limited', retryAfter: 5 * MINUTE })
  })

  it('can be cleared for all parties that share the store; then one request probes', async () => {
    const client = createClient()
    fault = () => json429({ retry_after: 65_000, global: true })
    expect(await end(client.lobbies.get(LOBBY))).toBe('rate_limited')
    const another = createClient()
    await another.clearRateLimitBlocks()
    expect(await end(another.lobbies.get(LOBBY))).toBe('rate_limited')
    expect(calls).toHaveLength(2)
    fault = undefined
    await client.clearRateLimitBlocks()
    expect(await end(client.lobbies.get(LOBBY))).toBeUndefined()
    expect(calls).toHaveLength(3)
  })

  it('starts a waiting call when it is cleared', async () => {
    const client = createClient()
    fault = () => json429({ retry_after: 4, global: true })
    const call = rejection(() => client.lobbies.get(LOBBY))
    await clock.run(10)
    fault = undefined
    await client.clearRateLimitBlocks()
    await clock.run(20)
    expect(await call).toBeUndefined()
  })
})
