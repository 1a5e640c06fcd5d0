/** attack/190 tickets of players: replayed, stolen, guessed, of another purpose, player or application, and requested in masses. */
import { FoyerError, NetworkError } from 'foyer-sdk'
import {
  createPlayerTickets,
  memoryLobbyBroker,
  type Player,
  PlayerTokenError,
  type PlayerTicketsOptions,
} from 'foyer-sdk/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { BACKEND, CallOwnerWorld } from '../support/call-owner-world'
import { ManualClock } from '../support/manual-clock'
import { codeOf, rejection } from '../support/settle'

const GAME = '1082700000000000001'
const OTHER_GAME = '1082700000000000002'
const ORIGIN = 'https://game.test'
const [ADA, BEN] = ['11', '12'].map((id): Player => ({
  id: id as Player['id'],
  username: `player${id}`,
  expiresAt: 9e12,
  claims: { sub: id },
}))
if (!ADA || !BEN) throw new Error('Two players are needed.')

let clock: ManualClock
let store: ReturnType<typeof memoryLobbyBroker>

beforeEach(() => {
  clock = new ManualClock()
  store = memoryLobbyBroker({ clock })
})

/** A token is the id of its player. */
const verify = async (given: string | Request): Promise<Player> => {
  const header = typeof given === 'string' ? given : given.headers.get('authorization')
  const player = [ADA, BEN].find(({ id }) => header === `Bearer ${id}`)
  if (!player) throw new PlayerTokenError('player_token_rejected')
  return player
}
/** A process of the backend. */
const backend = (options: Partial<PlayerTicketsOptions> = {}) =>
  createPlayerTickets({ applicationId: GAME, verify, purposes: ['match', 'chat'], store, clock, ...options })
const ask = (tickets: ReturnType<typeof backend>, query: string, init: RequestInit = {}) =>
  tickets(
    new Request(`${ORIGIN}/tickets${query}`, {
      method: 'POST',
      headers: { authorization: 'Bearer 11' },
      ...init,
    }),
  )

const away = async () => {
  throw new Error('ECONNREFUSED redis://:password@10.0.0.1')
}

describe('a ticket', () => {
  it('names its player once, in any process, and keeps no claims of the token', async () => {
    const [one, two] = [backend(), backend()]
    const ticket = await one.issue(ADA, 'match')
    expect(ticket).toMatch(/^[\w-]{43}$/)
    expect(await two.redeem(ticket, { purpose: 'match' })).toEqual({ ...ADA, claims: {} })
    for (const each of [one, two])
      expect(await rejection(() => each.redeem(ticket, { purpose: 'match' }))).toMatchObject({
        code: 'ticket_rejected',
        status: 401,
      })
  })

  it('is won by one of many that redeem it at once', async () => {
    const processes = [backend(), backend(), backend(), backend()]
    const ticket = await backend().issue(ADA, 'match')
    const ends = await Promise.all(
      Array.from({ length: 40 }, async (_, index) =>
        codeOf(() => processes[index % 4]?.redeem(ticket, { purpose: 'match' })),
      ),
    )
    expect(ends.filter((end) => end === undefined)).toHaveLength(1)
    expect(new Set(ends)).toEqual(new Set([undefined, 'ticket_rejected']))
  })

  it('ends after 30 seconds', async () => {
    const tickets = backend()
    const [early, late] = [await tickets.issue(ADA, 'match'), await tickets.issue(ADA, 'match')]
    clock.advance(29_999)
    expect(await codeOf(() => tickets.redeem(early, { purpose: 'match' }))).toBeUndefined()
    clock.advance(1)
    expect(await codeOf(() => tickets.redeem(late, { purpose: 'match' }))).toBe('ticket_rejected')
  })

  it('for another purpose or application is refused there, and not used up', async () => {
    const tickets = backend()
    const other = backend({ applicationId: OTHER_GAME })
    const ticket = await tickets.issue(ADA, 'match')
    expect(await codeOf(() => tickets.redeem(ticket, { purpose: 'chat' }))).toBe('ticket_rejected')
    expect(await codeOf(() => other.redeem(ticket, { purpose: 'match' }))).toBe('ticket_rejected')
    expect((await tickets.redeem(ticket, { purpose: 'match' })).id).toBe(ADA.id)
  })

  it('of another player is refused where one player is expected, and used up', async () => {
    const tickets = backend()
    const ticket = await tickets.issue(BEN, 'match')
    expect(await codeOf(() => tickets.redeem(ticket, { purpose: 'match', playerId: ADA.id }))).toBe(
      'ticket_rejected',
    )
    expect(await codeOf(() => tickets.redeem(ticket, { purpose: 'match', playerId: BEN.id }))).toBe(
      'ticket_rejected',
    )
    const own = await tickets.issue(ADA, 'match')
    expect((await tickets.redeem(own, { purpose: 'match', playerId: ADA.id })).id).toBe(ADA.id)
  })

  it('cannot be guessed, whatever a client sends, and never reaches an error or the store', async () => {
    const stored: string[] = []
    const watched = {
      put: async (...given: [string, string, number]) => (
        stored.push(...given.map(String)),
        store.put(...given)
      ),
      take: async (key: string) => store.take(key),
    }
    const tickets = backend({ store: watched })
    const ticket = await tickets.issue(ADA, 'match')
    const guesses = [
      undefined,
      null,
      '',
      'x',
      'x'.repeat(43),
      'x'.repeat(1e6),
      '__proto__',
      7,
      {},
      [ticket],
      { ticket },
      `${ticket} `,
      `\n${ticket}`,
    ]
    for (const guess of guesses)
      expect(await codeOf(() => tickets.redeem(guess, { purpose: 'match' }))).toBe('ticket_rejected')
    await tickets.redeem(ticket, { purpose: 'match' })
    const error = await rejection(() => tickets.redeem(ticket, { purpose: 'match' }))
    expect(JSON.stringify(error) + String(error) + stored.join()).not.toContain(ticket)
  })

  it('that is damaged in the store is refused', async () => {
    let text = ''
    const tickets = backend({ store: { put: async () => undefined, take: async () => text } })
    for (text of [
      '',
      '{',
      'null',
      '[]',
      '{"id":11}',
      '{"id":"11","expiresAt":"later"}',
      '{"id":"../x","expiresAt":1}',
    ])
      expect(await codeOf(() => tickets.redeem('x'.repeat(43), { purpose: 'match' }))).toBe('ticket_rejected')
  })

  it('is refused while the store is away, with an error that allows another attempt', async () => {
    const tickets = backend({ store: { put: away, take: away } })
    expect(await rejection(() => tickets.redeem('x'.repeat(43), { purpose: 'match' }))).toMatchObject({
      code: 'connection_failed',
      retryable: true,
    })
    const response = await ask(tickets, '?purpose=match')
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      503,
      '1',
      { code: 'connection_failed' },
    ])
  })
})

describe.each<[string, () => Promise<never>]>([
  ['rejects with a text', async () => Promise.reject('down')],
  ['rejects with nothing', async () => Promise.reject(undefined)],
  [
    'rejects with an error that forbids another attempt',
    async () => Promise.reject(new NetworkError('aborted', 'redis')),
  ],
  [
    'throws at once',
    () => {
      throw new TypeError('the client is closed')
    },
  ],
])('a store that %s', (_, fault) => {
  it('is away: a page can read when to try again, and a server too', async () => {
    const tickets = backend({ store: { put: fault, take: fault } })
    const { status, headers } = await ask(tickets, '?purpose=match')
    expect([status, headers.get('retry-after'), headers.get('access-control-allow-origin')]).toEqual([
      503,
      '1',
      '*',
    ])
    const error = await rejection(() => tickets.redeem('x'.repeat(43), { purpose: 'match' }))
    expect(error).toMatchObject({ code: 'connection_failed', retryable: true })
  })
})

describe('a request for a ticket', () => {
  it('is answered to the verified player only, for a known purpose, and never cached', async () => {
    const tickets = backend()
    const response = await ask(tickets, '?purpose=match')
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await response.json()).toEqual({ ticket: expect.stringMatching(/^[\w-]{43}$/), expires_in: 30 })
    const statuses = [
      ask(tickets, '?purpose=match', { headers: { authorization: 'Bearer 66' } }),
      ask(tickets, '?purpose=admin'),
      ask(tickets, ''),
      ask(tickets, '?purpose=match', { method: 'GET' }),
      ask(tickets, '?purpose=match', { method: 'OPTIONS' }),
    ].map(async (each) => (await each).status)
    expect(await Promise.all(statuses)).toEqual([401, 400, 400, 405, 204])
  })

  it('of one player in masses is refused, and delays nobody else', async () => {
    const tickets = backend()
    const statuses: number[] = []
    for (let count = 0; count < 40; count++) statuses.push((await ask(tickets, '?purpose=match')).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    const last = await ask(tickets, '?purpose=match')
    expect([last.status, last.headers.get('retry-after')]).toEqual([429, '5'])
    expect((await ask(tickets, '?purpose=match', { headers: { authorization: 'Bearer 12' } })).status).toBe(
      200,
    )
    clock.advance(60_000)
    expect((await ask(tickets, '?purpose=match')).status).toBe(200)
  })
})

/** A signed-in player whose backend answers so. */
async function playerOf(respond: (url: string, init: RequestInit) => Promise<Response>) {
  const world = new CallOwnerWorld()
  const client = world.tab()
  await world.signIn(client, 'ada')
  world.line = (url, init) => (url.startsWith(BACKEND) ? respond(url, init) : undefined)
  return client
}

const fetchTicketFrom = async (respond: () => Response) =>
  (await playerOf(async () => respond())).backend.fetchTicket('/tickets')

describe('backend.fetchTicket', () => {
  it('returns the ticket, which the backend accepts', async () => {
    const tickets = backend()
    const client = await playerOf((url, { method = '' }) =>
      ask(tickets, url.replace(`${BACKEND}/tickets`, ''), { method }),
    )
    const ticket = await client.backend.fetchTicket('/tickets?purpose=chat')
    expect((await tickets.redeem(ticket, { purpose: 'chat' })).id).toBe(ADA.id)
  })

  it('rejects with the status of a refusal, and for a response without a ticket', async () => {
    const outcomes = [401, 429, 503].map((status) =>
      rejection(() => fetchTicketFrom(() => new Response('', { status }))),
    )
    expect(
      (await Promise.all(outcomes)).map(
        (error) => error instanceof FoyerError && [error.code, error.retryable],
      ),
    ).toEqual([
      ['http_401', false],
      ['http_429', true],
      ['http_503', true],
    ])
    for (const body of ['', '<p>', 'null', '[]', '{"ticket":7}', '{"expires_in":30}'])
      expect(await codeOf(() => fetchTicketFrom(() => new Response(body)))).toBe('malformed_response')
  })
})

it.each<[string, object]>([
  ['no purposes', { purposes: [] }],
  ['a purpose that is no name', { purposes: ['match', 7] }],
  ['a purpose instead of a list', { purposes: 'match' }],
  ['no verifier', { verify: undefined }],
  ['an application id as a number', { applicationId: 5 }],
  ['a store that cannot take', { store: { put: async () => undefined } }],
  ['an unknown option', { purpose: 'match' }],
])('createPlayerTickets refuses %s', (_, options) => {
  expect(() => backend(options)).toThrow(expect.objectContaining({ code: 'invalid_argument' }))
})

it('a purpose that is not among those of the backend is a mistake of the backend', async () => {
  const tickets = backend()
  expect(await codeOf(() => tickets.issue(ADA, 'admin'))).toBe('invalid_argument')
  expect(await codeOf(() => tickets.redeem('x'.repeat(43), { purpose: 'admin' }))).toBe('invalid_argument')
  expect(await codeOf(() => tickets.redeem('x'.repeat(43), undefined as never))).toBe('invalid_argument')
  expect(await codeOf(() => tickets.issue({} as never, 'match'))).toBe('invalid_argument')
  expect(await codeOf(() => tickets.issue({ id: ADA.id } as never, 'match'))).toBe('invalid_argument')
})
