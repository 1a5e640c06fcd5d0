/** Objects of the caller that never answer: whoever waits for one is refused within 3 s, and no timer is left. */
import { readFileSync } from 'node:fs'
import * as server from 'foyer-sdk/server'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '../support/manual-clock'
import { codeOf } from '../support/settle'
import { readSources } from '../architecture/source'
import { PING, Sender, Signer, slash } from './interactions/signed-sender'

const applicationId = '1287654321098765433'
const service = { host: 'https://service.test' }
const hang = (): Promise<never> => new Promise(() => undefined)
/** An object whose methods never settle. */
const hanging = (...methods: string[]): never =>
  Object.fromEntries(methods.map((name) => [name, hang])) as never
const verify = async () => ({ id: '7' as never, expiresAt: Number.MAX_SAFE_INTEGER, claims: {} })
const fetch = async () => Response.json({})

let signer: Signer
beforeAll(async () => {
  signer = await Signer.create()
})

const session = (clock: ManualClock, store: never) =>
  server.createSessionHandler({
    applicationId,
    service,
    fetch,
    clock,
    store,
    credentials: server.clientSecret('a-secret-of-the-application'),
    origins: ['https://game.test'],
  })
const statusOf = async (work: Promise<Response>) => (await work).status
const tickets = (clock: ManualClock) =>
  server.createPlayerTickets({
    applicationId,
    verify,
    clock,
    purposes: ['match'],
    store: hanging('put', 'take'),
  })
const sender = (clock: ManualClock) =>
  Object.assign(new Sender(signer, { commands: [], replays: hanging('seen'), clock }), { clock })

/** Every call that waits for an object of the caller, with its right outcome. */
const CALLS: Record<string, [call: (clock: ManualClock) => Promise<unknown>, outcome: unknown]> = {
  'store of sessions': [
    (clock) => codeOf(() => session(clock, hanging('get', 'set', 'delete', 'lock', 'unlock')).end('7')),
    'timed_out',
  ],
  'store of tickets, put': [
    (clock) =>
      codeOf(() => tickets(clock).issue({ id: '7' as never, expiresAt: Number.MAX_SAFE_INTEGER }, 'match')),
    'timed_out',
  ],
  'store of tickets, take': [
    (clock) => codeOf(() => tickets(clock).redeem('x'.repeat(43), { purpose: 'match' })),
    'timed_out',
  ],
  'endpoint of tickets': [
    (clock) =>
      statusOf(tickets(clock)(new Request('https://game.test/ticket?purpose=match', { method: 'POST' }))),
    503,
  ],
  'replays of interactions': [
    async (clock) => {
      const receiver = sender(clock)
      return statusOf(receiver.handler(await receiver.request(slash('x'))))
    },
    500,
  ],
  'replays of pings': [
    async (clock) => {
      const receiver = sender(clock)
      return statusOf(receiver.handler(await receiver.request(PING)))
    },
    500,
  ],
}

describe.each(Object.keys(CALLS))('%s', (name) => {
  it('that never settles is an error within 3 s', async () => {
    const [call, outcome] = CALLS[name] ?? []
    const clock = new ManualClock(Date.now())
    let result: unknown = 'waits'
    void call?.(clock).then((found) => (result = found))
    await vi.waitUntil(() => clock.waiting > 0)
    clock.advance(3000)
    await vi.waitUntil(() => result !== 'waits')
    expect(result).toBe(outcome)
    expect(clock.waiting).toBe(0)
  })
})

it('no constructor of the backend takes an object of the caller without an end of its waits', () => {
  const sources = readSources('src/server')
  const raw = Object.entries(sources).filter(([, text]) => /\brequireMethods\(/.test(text))
  expect(raw.map(([path]) => path)).toEqual([])
  const taken =
    Object.values(sources)
      .join('\n')
      .match(/takePort\(/g) ?? []
  expect(taken.length).toBeGreaterThan(5)
  expect(readFileSync('src/shared/http/limited-api.ts', 'utf8')).toContain('requireMethods(store')
})
