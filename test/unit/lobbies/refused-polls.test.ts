/** Polls for messages that the service refuses, or that get no answer: the pauses grow, are never shorter than demanded, and polls never overlap. */
import { NetworkError, RateLimitError } from 'foyer-sdk'
import { expect, it } from 'vitest'
import { watch } from '../../support/internals'
import { settled } from '../../support/hub-world'
import { ManualClock } from '../../support/manual-clock'
import { lobbyCacheOf } from '../../support/lobby-cache-of'

const MINUTE = 60_000

/** Polls in ten minutes, every five seconds at most. `answer`: called with the number of the poll, after the first one. */
async function pollsWith(
  answer: (poll: number, clock: ManualClock) => Promise<unknown>,
): Promise<{ polls: number; overlaps: number }> {
  const clock = new ManualClock()
  const outcome = { polls: -1, overlaps: 0 }
  let running = 0
  const fetch = async () => {
    outcome.polls += 1
    running += 1
    if (running > 1) outcome.overlaps += 1
    try {
      if (outcome.polls > 0) await answer(outcome.polls, clock)
      return []
    } finally {
      running -= 1
    }
  }
  const closing = new AbortController()
  const cache = lobbyCacheOf()
  await watch({ clock, cache, fetch }, { interval: 5000, signal: closing.signal })
  for (let passed = 0; passed < 10 * MINUTE; passed += 1000) {
    clock.advance(1000)
    await settled()
  }
  closing.abort()
  return outcome
}

const refuse = (retryAfter: number): never => {
  throw new RateLimitError('rate_limited', {
    retryAfter,
    resetAt: 0,
    bucket: 'lobby_messages',
    scope: 'shared',
  })
}

const lose = (): never => {
  throw new NetworkError('connection_failed', 'GET')
}

it.each<[string, (poll: number, clock: ManualClock) => Promise<unknown>, [number, number]]>([
  ['always refused', async () => refuse(0), [18, 40]],
  ['always refused, with a time that is over', async () => refuse(-60_000), [18, 40]],
  ['always refused for two minutes', async () => refuse(2 * MINUTE), [4, 6]],
  ['refused every second time', async (poll) => poll % 2 && refuse(0), [18, 80]],
  ['never answered', async () => lose(), [22, 32]],
  ['not answered six times', async (poll) => poll <= 6 && lose(), [109, 117]],
  ['not answered once', async (poll) => poll === 1 && lose(), [120, 120]],
  ['refused once', async (poll) => poll === 1 && refuse(0), [100, 120]],
  [
    'answered after twenty seconds',
    async (_, clock) => new Promise<void>((resolve) => clock.after(20_000, resolve)),
    [20, 24],
  ],
])('polls that are %s', async (_, answer, [least, most]) => {
  const { polls, overlaps } = await pollsWith(answer)
  expect(polls).toBeGreaterThanOrEqual(least)
  expect(polls).toBeLessThanOrEqual(most)
  expect(overlaps).toBe(0)
})
