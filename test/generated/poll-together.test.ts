/** Players without a backend who poll one application's lobbies: together they find the rate that its limit allows, and news stay bounded. */
import { type LobbyMessage, RateLimitError } from 'foyer-sdk'
import { expect, it } from 'vitest'
import { readMessage, watch } from '../support/internals'
import { ManualClock } from '../support/manual-clock'
import { lobbyCacheOf } from '../support/lobby-cache-of'

const MINUTE = 60_000
/** ms between two steps of the simulation. */
const STEP = 50
/** Requests a second of the whole application. */
const LIMIT = 50
/** Messages arrive in every lobby all this many ms. */
const EVERY = 120_000

interface Outcome {
  refusals: number
  /** Of the last five minutes. */
  lateRefusals: number
  requests: number
  /** ms from a message to its event, 95 of 100. */
  p95: number
}

/** Each player polls a lobby of their own for ten minutes; the first five count for nothing but refusals. */
async function poll(players: number, interval: number): Promise<Outcome> {
  const clock = new ManualClock()
  const start = clock.now()
  const outcome: Outcome = { refusals: 0, lateRefusals: 0, requests: 0, p95: 0 }
  const waits: number[] = []
  let served: number[] = []
  const passed = () => clock.now() - start
  const answer = async (lobbyId: string): Promise<LobbyMessage[]> => {
    await new Promise<void>((resolve) => clock.after(20 + Math.floor(Math.random() * 300), resolve))
    outcome.requests += 1
    served = served.filter((at) => at > clock.now() - 1000)
    if (served.length >= LIMIT) {
      outcome.refusals += 1
      if (passed() > 5 * MINUTE) outcome.lateRefusals += 1
      const resetAt = (served[0] ?? 0) + 1000
      throw new RateLimitError('rate_limited', {
        retryAfter: resetAt - clock.now(),
        resetAt,
        bucket: 'global',
        scope: 'global',
      })
    }
    served.push(clock.now())
    const last = Math.floor((passed() + Number(lobbyId) * 61) / EVERY)
    const author = { id: '80351110224678912', username: 'ada' }
    return [readMessage({ id: String(last + 1), lobby_id: lobbyId, content: 'Hi', author }, 'GET /x')]
  }
  for (let player = 1; player <= players; player++) {
    const message = ({ id }: LobbyMessage) => {
      const sent = (Number(id) - 1) * EVERY - player * 61
      if (passed() > 5 * MINUTE) waits.push(passed() - sent)
    }
    const cache = lobbyCacheOf({ message })
    const { signal } = new AbortController()
    // The first poll is repeated by the game.
    const begin = (wait: number) =>
      void watch({ clock, cache, fetch: () => answer(String(player)) }, { interval, signal }).catch(() =>
        clock.after(wait + ((player * 37) % 1000), () => begin(Math.min(wait * 2, MINUTE))),
      )
    clock.after((player * 37) % 5000, () => begin(1000))
  }
  while (passed() < 10 * MINUTE) {
    clock.advance(STEP)
    await new Promise((resolve) => setImmediate(resolve))
  }
  outcome.p95 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)] ?? Number.NaN
  return outcome
}

it.each([
  { players: 100, interval: 5000, refusals: 0, late: 0, p95: 5.5 },
  { players: 300, interval: 5000, refusals: 1600, late: 700, p95: 12 },
  { players: 300, interval: 1000, refusals: 4000, late: 900, p95: 15 },
  { players: 600, interval: 5000, refusals: 7000, late: 2200, p95: 35 },
  { players: 1200, interval: 5000, refusals: 20_000, late: 6500, p95: 75 },
])(
  '$players players who poll every $interval ms meet at most $refusals refusals in ten minutes, and read 95 of 100 messages within $p95 s',
  { timeout: 120_000 },
  async ({ players, interval, refusals, late, p95 }) => {
    const outcome = await poll(players, interval)
    expect(outcome.refusals).toBeLessThanOrEqual(refusals)
    expect(outcome.lateRefusals).toBeLessThanOrEqual(late)
    expect(outcome.p95).toBeLessThan(p95 * 1000)
  },
)
