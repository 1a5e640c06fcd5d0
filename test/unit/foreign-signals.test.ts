/** Abort signals that a game made itself, or got from a polyfill, and that lack or refuse something. */
import { Client } from 'foyer-sdk'
import { expect, it } from 'vitest'
import { ManualClock } from '../support/manual-clock'
import { strayErrors } from '../support/stray-errors'

const refuse = () => {
  throw new Error('of the polyfill')
}
const fetch = async () => Response.json({}, { status: 500 })
const listeners = { addEventListener: () => undefined, removeEventListener: () => undefined }

it.each<[string, object, string]>([
  ['that cannot be left', { aborted: false, addEventListener: () => undefined }, 'invalid_argument'],
  ['that refuses to be left', { aborted: false, ...listeners, removeEventListener: refuse }, 'http_500'],
  ['that refuses a listener', { aborted: false, ...listeners, addEventListener: refuse }, 'unexpected'],
])('a call with a signal %s settles, leaves no timer, and the next call works', async (_, signal, code) => {
  using stray = strayErrors()
  const clock = new ManualClock()
  const client = new Client({ applicationId: '1', service: { host: 'https://service.test' }, fetch, clock })
  const call = (given: object) =>
    client.refreshToken('a refresh token', given).catch((error: { code: string }) => error.code)
  expect(await call({ signal })).toBe(code)
  expect(await call({})).toBe('http_500')
  client.close()
  clock.advance(120_000)
  expect([await stray.errors(), clock.waiting]).toEqual([[], 0])
})
