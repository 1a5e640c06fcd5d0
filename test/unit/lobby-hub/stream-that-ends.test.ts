/** A backend that answers 200 and ends the stream at once, every time: the client's pauses grow, as for a refusal. */
import { expect, it } from 'vitest'
import { PlayerLobbyStream } from '../../support/internals'
import { settled } from '../../support/hub-world'
import { ManualClock } from '../../support/manual-clock'

/** Requests in some minutes, at a backend that ends each stream after `lasting` ms. */
async function requestsIn(minutes: number, lasting: number, text = ''): Promise<number> {
  const clock = new ManualClock()
  return requestsTo(clock, minutes, () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text || ':\n\n'))
        if (lasting === 0) controller.close()
        else clock.after(lasting, () => controller.close())
      },
    })
    return new Response(body, { headers: STREAM })
  })
}

const STREAM = { 'content-type': 'text/event-stream' }

/** Requests in some minutes, at a backend that answers so. */
async function requestsTo(clock: ManualClock, minutes: number, answer: () => Response): Promise<number> {
  let requests = 0
  const stream = new PlayerLobbyStream({
    clock,
    log: () => undefined,
    url: 'https://game.test/lobbies',
    listener: () => undefined,
    player: {
      isAllowed: () => true,
      lobbyIds: () => [],
      async fetch() {
        requests += 1
        return answer()
      },
    },
  })
  for (let passed = 0; passed < minutes * 60_000; passed += 250) {
    clock.advance(250)
    await settled()
  }
  stream.close()
  return requests
}

it.each([
  ['at once', 0, ''],
  ['after a comment and a second', 1000, ''],
  ['shortly before it would count as a success', 4900, ''],
  ['after an event', 500, 'event: lobby.deleted\ndata: {"id":"901"}\n\n'],
])('a stream that ends %s is opened again after growing pauses', async (_, lasting, text) => {
  expect(await requestsIn(5, lasting, text)).toBeLessThan(60)
})

it('a stream that ends after ten seconds is opened again within a second', async () => {
  expect(await requestsIn(2, 10_000)).toBeGreaterThanOrEqual(10)
})

/** A stream that is lost with an error, as by a proxy that restarts. */
const lost = () =>
  new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) })

it.each<[string, () => Response]>([
  ['ends with an error', () => new Response(lost(), { headers: STREAM })],
  ['has no body', () => new Response(null, { headers: STREAM })],
  ['is a page of a proxy', () => new Response('<p>welcome', { headers: { 'content-type': 'text/html' } })],
  [
    'is refused with a time of a millisecond',
    () => new Response(null, { status: 503, headers: { 'retry-after': '0.001' } }),
  ],
  [
    'is refused with a time in the past',
    () => new Response(null, { status: 503, headers: { 'retry-after': '-5' } }),
  ],
  [
    'is refused with a date',
    () => new Response(null, { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' } }),
  ],
])('a stream that %s is opened again after growing pauses', async (_, answer) => {
  expect(await requestsTo(new ManualClock(), 5, answer)).toBeLessThan(60)
})
