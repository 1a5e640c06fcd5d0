// @vitest-environment happy-dom
/** Explanations in the demo: error advice, limits meter and chat. */
import { signal } from '@preact/signals'
import {
  ConfigurationError,
  type LobbyMessage,
  ProtocolError,
  type RateLimitUsage,
  type Session,
  ValidationError,
} from 'foyer-sdk'
import { createElement, render } from 'preact'
import { describe, expect, it, vi } from 'vitest'
import { blamedField } from '../../demo/page/game/service-settings'
import { waterfall } from '../../demo/page/screens/exchange/waterfall'
import { explain } from '../../demo/page/game/explain'
import { type Gauge, inOrder, LimitsMeter } from '../../demo/page/screens/lobby/limits-meter'
import { nextSlot, plotData, SAMPLE_COUNT } from '../../demo/page/game/limit-sample'
import type { PlayerSlot } from '../../demo/page/game/player-slot'
import { openFaultControls, FaultControlError } from '../../demo/page/game/fault-controls'
import { Chat } from '../../demo/page/screens/lobby/chat'
import { describeBurst } from '../../demo/page/screens/limits/service-limits'

/** Draws a chat whose messages are sent successfully, or not. */
function openChat(isSent: boolean) {
  const sent: string[] = []
  const slot = {
    messages: signal<readonly LobbyMessage[]>([]),
    session: signal<Session | null>(null),
    send: async (text: string) => (sent.push(text), isSent),
  }
  const place = document.createElement('div')
  render(createElement(Chat, { slot, prefix: 'left' }), place)
  const input = place.querySelector('input')
  if (!input) throw new Error('no input')
  /** The page draws what was typed in a microtask, before the next event of a person. */
  const type = async (text: string) => {
    input.value = text
    input.dispatchEvent(new Event('input', { bubbles: true }))
    await Promise.resolve()
  }
  const send = async (text: string) => {
    await type(text)
    place.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
  }
  return { input, type, send, sent }
}

/** A meter over one player, whose client lists the limits in `uses`. */
function openMeter(uses: RateLimitUsage[]) {
  const slot = { client: { rateLimits: uses }, limited: signal(null) } as unknown as PlayerSlot
  return new LimitsMeter([slot])
}

describe('the limits meter of the demo', () => {
  it('keeps the plot of a limit that nobody uses any more, at rest', () => {
    const use = {
      bucket: 'global',
      key: '',
      limit: 50,
      per: 1000,
      free: 48,
      inFlight: 1,
      releasing: 1,
      waiting: 3,
      nextAt: 9000,
    }
    const uses = [use]
    const meter = openMeter(uses)
    meter.tick()
    uses.length = 0
    meter.tick()
    meter.tick()
    const [gauge] = meter.gauges.value
    expect(meter.gauges.value).toHaveLength(1)
    expect(gauge?.use).toEqual({ ...use, free: 50, inFlight: 0, releasing: 0, waiting: 0, nextAt: null })
    expect(gauge?.samples.map(({ used }) => used)).toEqual([2, 0, 0])
    uses.push(use)
    meter.tick()
    expect(meter.gauges.value.map(({ samples }) => samples.at(-1)?.used)).toEqual([2])
  })

  it('is sorted by player, then by name', () => {
    const gauges = ['send_message 0', 'global 1', 'global 0'].map(
      (id) => ({ id, slot: Number(id.slice(-1)) }) as Gauge,
    )
    expect(inOrder(gauges).map(({ id }) => id)).toEqual(['global 0', 'send_message 0', 'global 1'])
  })

  it('shows when the next call can start while the service blocks a bucket with free slots', () => {
    expect(nextSlot({ free: 5, nextAt: 13_000 }, 10_000)).toBe('in 3.0 s')
    expect(nextSlot({ free: 0, nextAt: 10_400 }, 10_000)).toBe('in 0.4 s')
    expect(nextSlot({ free: 5, nextAt: null }, 10_000)).toBe('now')
    expect(nextSlot({ free: 0, nextAt: null }, 10_000)).toBe('after a response')
  })

  it.each([
    [82, 3000, 3000],
    [3, 10, 10],
    [14, 10, 14],
  ])('draws a usage of %d out of %d on a scale up to %d', (used, limit, top) => {
    const data = plotData([{ used, waiting: 0 }], limit)
    expect(data).toMatchObject({ top, used: expect.arrayContaining([null, used]) })
    expect(data.used).toHaveLength(SAMPLE_COUNT)
    expect(data.used.at(-1)).toBe(used)
  })

  it('draws waiting calls only while there are some', () => {
    const idle = { used: 0, waiting: 0 }
    expect(plotData([idle, idle], 10).waiting.slice(-2)).toEqual([null, null])
    expect(plotData([idle, { used: 0, waiting: 3 }], 10).waiting.slice(-2)).toEqual([0, 3])
  })
})

describe('an error explanation', () => {
  it('of an unavailable service names that cause, and reports no bug in the page', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const error: unknown = await openFaultControls()
      .perform('refuse')
      .catch((reason: unknown) => reason)
    vi.unstubAllGlobals()
    expect(error).toBeInstanceOf(FaultControlError)
    expect(explain(error)).toMatchObject({
      code: 'service_down',
      advice: expect.stringContaining('npm run demo'),
    })
    expect(explain(new FaultControlError('status 500')).advice).not.toContain('bug in the page')
  })

  it('of a player id that is not numeric mentions neither issuer nor application id', () => {
    const error = new ProtocolError('invalid_id_token', 'sub', { path: 'sub', expected: 'a user id' })
    expect(explain(error).advice).toMatch(/decimal/)
    expect(explain(error).advice).not.toMatch(/issuer/)
    expect(
      explain(new ProtocolError('invalid_id_token', 'aud', { path: 'aud', expected: 'the application id' }))
        .advice,
    ).toMatch(/application id/)
  })

  it.each([
    ['the application id', new ConfigurationError('invalid_argument', 'applicationId')],
    [
      'the client id',
      new ValidationError('invalid_argument', [
        { path: 'clientId', code: 'invalid_id', level: 'error', message: '', params: {} },
      ]),
    ],
  ])('of %s that is not numeric describes the format', (_, error) => {
    expect(explain(error).advice).toMatch(/decimal number/)
  })
})

describe('an error in the service settings of the demo', () => {
  const host = 'http://service.example'
  const baseUrl = 'http://api.example'
  it.each([
    ['the field that was typed in', 'tokenUrl', { tokenUrl: `${host}/token` }, 'tokenUrl'],
    ['the host that it is derived from', 'authorizeUrl', { host }, 'host'],
    ['the API that it is derived from', 'tokenUrl', { host, baseUrl }, 'baseUrl'],
    ['the host, if the API has no part in it', 'authorizeUrl', { host, baseUrl }, 'host'],
    ['no field, if it is about none', undefined, { host }, undefined],
  ])('is shown at %s', (...[, field, typed, blamed]) => {
    const error = field
      ? new ConfigurationError('insecure_endpoint', `service.${field}`)
      : new ConfigurationError('missing_application_id')
    expect(blamedField(error, { kind: 'custom', ...typed })).toBe(blamed)
  })
})

it('the result of a burst in the demo says what a refusal costs without the SDK, and who causes one with it', () => {
  const result = { succeeded: 50, refused: 10, failed: 0, ms: 1234 }
  expect(describeBurst(result, { plain: true })).toMatch(
    /^50 succeeded, 10 were refused with 429\. It took 1\.2 s\. .*block of the address/,
  )
  expect(describeBurst(result, { plain: false })).toContain('Something else used the same limits.')
  expect(describeBurst({ ...result, refused: 0 }, { plain: true })).toMatch(/It took 1\.2 s\.$/)
})

describe('the demo chat', () => {
  it('restores a message that could not be sent', async () => {
    const { input, send, sent } = openChat(false)
    await send('hello')
    expect(sent).toEqual(['hello'])
    await vi.waitFor(() => expect(input.value).toBe('hello'))
  })

  it('clears the input after a message is sent, and keeps text that was typed meanwhile', async () => {
    const { input, send } = openChat(true)
    await send('hello')
    await new Promise((resolve) => setImmediate(resolve))
    expect(input.value).toBe('')
    const rejected = openChat(false)
    await rejected.send('hello')
    await rejected.type('next')
    await new Promise((resolve) => setImmediate(resolve))
    expect(rejected.input.value).toBe('next')
  })
})

describe('the waterfall of exchanges', () => {
  it('shows when each was under way, in percent of its run, which begins with an authorize page', () => {
    const bars = waterfall([
      { id: 1, kind: 'authorize', startedAt: 1000, duration: 100 },
      { id: 2, kind: 'request', startedAt: 1150, duration: 50 },
      { id: 3, kind: 'authorize', startedAt: 9000, duration: 0 },
      { id: 4, kind: 'authorize', startedAt: 20_000, duration: 10 },
      { id: 5, kind: 'request', startedAt: 20_005, duration: undefined },
    ])
    expect(Object.fromEntries(bars)).toEqual({
      1: { start: 0, length: 50 },
      2: { start: 75, length: 25 },
      3: { start: 0, length: 100 },
      4: { start: 0, length: 100 },
      5: { start: 50, length: 50 },
    })
  })
})
