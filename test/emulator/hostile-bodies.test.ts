/** Bodies that are made to take long: their details are there at once, and nothing else waits for them. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let emulator: Emulator

beforeEach(async () => {
  emulator = await createEmulator()
})
afterEach(() => emulator.close())

/** Each value is a text in a text, six times, as far as it fits into what is kept of a body. */
function nested(text: string): string {
  let whole = text.slice(0, 200)
  for (let level = 0; level < 6; level++)
    whole = JSON.stringify({ a: whole, b: `c=${encodeURIComponent(whole)}` }).slice(0, 16_000)
  return whole
}

const PARTS = [
  '{',
  '[',
  '{"a":',
  '[{',
  '"',
  '\\',
  '%7B',
  'a=',
  '<script',
  'eyJ',
  '<input ',
  '/',
  '=',
  '{"a":"',
  ';',
  '--x',
]
const TYPES = [
  'text/plain',
  'application/json',
  'application/x-www-form-urlencoded',
  'text/html',
  'application/xml',
  'multipart/form-data; boundary=x',
]

describe.each(TYPES)('a body of %s', (type) => {
  it.each(PARTS)('that repeats %s is shown within a second', async (part) => {
    for (const body of [part.repeat(16_000 / part.length), nested(part.repeat(200))]) {
      await fetch(`${emulator.url}/api/v10/nowhere`, {
        method: 'POST',
        body,
        headers: { 'content-type': type, 'x-part': part.repeat(500) },
      })
      const { serial } = emulator.requests.findLast(({ path }) => path.includes('nowhere')) ?? { serial: 0 }
      const begin = performance.now()
      const response = await fetch(`${emulator.url}/_emulator/requests/${serial}`, {
        headers: { authorization: `Bearer ${emulator.controlToken}` },
      })
      expect([response.status, (await response.text()).length > 0]).toEqual([200, true])
      expect(performance.now() - begin).toBeLessThan(1000)
    }
  })
})

describe('the control plane', () => {
  it('refuses a time that no clock has', () => {
    expect(() => emulator.clock({ advance: 1e308 })).toThrow(expect.objectContaining({ code: 'bad_request' }))
    emulator.advance(1000)
    expect(emulator.clock({}).ahead).toBeLessThan(5000)
  })

  it('refuses a path of many wildcards', () => {
    const rule = { match: { path: `/${'*'.repeat(40)}` }, effect: { drop: true } }
    expect(() => emulator.faults([rule])).toThrow(expect.objectContaining({ code: 'bad_request' }))
  })
})
