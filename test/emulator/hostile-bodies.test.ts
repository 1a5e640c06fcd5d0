/** Bodies that are made to take long: what looks at them takes a bounded number of steps, so that nothing else waits for them. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { visitMessage } from '../support/emulator-internals'

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

/** A text of each way in which values hold others. */
const shapesOf = (part: string): string[] => [
  part.repeat(16_000 / part.length),
  nested(part.repeat(200)),
  JSON.stringify({ a: part.repeat(8000 / part.length) }).slice(0, 16_000),
  JSON.stringify(Array.from({ length: 700 }, () => `a=${part}`)).slice(0, 16_000),
  [1, 2, 3, 4, 5, 6].reduce((inner) => `a=${encodeURIComponent(inner)}`, part.repeat(100)).slice(0, 16_000),
  `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${part.repeat(8000 / part.length)}\r\n--x--`,
]

/** Characters of all values that are looked at, of one message. About 8 ms of a core for 100,000. */
const MOST = 600_000

describe.each(TYPES)('a body of %s', (type) => {
  it.each(PARTS)('that repeats %s is looked at within a bounded number of steps', (part) => {
    for (const text of shapesOf(part)) {
      let steps = 0
      const headers: [string, string][] = [
        ['content-type', type],
        ['origin', text.slice(0, 8000)],
        ['x-part', text],
      ]
      const body = { kind: 'text' as const, type, size: text.length, text }
      const line = `POST /?a=${encodeURIComponent(text).slice(0, 8000)} HTTP/1.1`
      for (const head of [line, 'HTTP/1.1 200 OK'])
        visitMessage({ line: head, headers, body }, ({ value }) => {
          steps += value.length + 1
          return undefined
        })
      expect(steps).toBeLessThan(MOST)
    }
  })

  it.each(PARTS)('that repeats %s is shown', async (part) => {
    for (const body of [part.repeat(16_000 / part.length), nested(part.repeat(200))]) {
      await fetch(`${emulator.url}/api/v10/nowhere`, {
        method: 'POST',
        body,
        headers: { 'content-type': type, 'x-part': part.repeat(500) },
      })
      const { serial } = emulator.requests.findLast(({ path }) => path.includes('nowhere')) ?? { serial: 0 }
      const response = await fetch(`${emulator.url}/_emulator/requests/${serial}`, {
        headers: { authorization: `Bearer ${emulator.controlToken}` },
      })
      expect([response.status, (await response.text()).length > 0]).toEqual([200, true])
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
