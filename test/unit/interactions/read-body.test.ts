/** The body of a request, read as bytes with limits of size and time. */
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { readBody } from '../../support/internals'
import { ManualClock } from '../../support/manual-clock'
import { settleWork } from '../../support/counting-service'

const clock = new ManualClock()

const send = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request('https://game.test', {
    method: 'POST',
    body,
    headers,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  })

const streamOf = (...parts: unknown[]) =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

const stream = (...parts: string[]) => streamOf(...parts.map((part) => new TextEncoder().encode(part)))

const byte = new Uint8Array(1)

const outcome = async (request: Request, limit = 4) => {
  const read = await readBody(request, limit, clock)
  return typeof read === 'string' ? read : [new TextDecoder().decode(read.bytes), read.altered]
}

describe('the body of a request', () => {
  it.each([
    ['abcd', {}, ['abcd', false]],
    ['abcde', {}, 'body_too_large'],
    ['abcd', { 'content-length': '4' }, ['abcd', false]],
    ['abcd', { 'content-length': '3' }, ['abcd', true]],
    ['abc', { 'content-length': '5' }, 'body_too_large'],
    ['abcde', { 'content-length': '4' }, 'body_too_large'],
    ['abc', { 'content-length': '5', 'content-encoding': 'gzip' }, ['abc', false]],
    ['abc', { 'content-length': '5x' }, ['abc', false]],
    ['abc', { 'content-length': 'x5' }, ['abc', false]],
  ])('%j with %j is %j', async (body, headers, expected) => {
    expect(await outcome(send(body, headers))).toEqual(expected)
  })

  it('may come in parts, and may be absent', async () => {
    expect(await outcome(send(stream('ab', 'c', 'd')))).toEqual(['abcd', false])
    expect(await outcome(send(stream('ab', 'cd', 'e')))).toBe('body_too_large')
    expect(await outcome(send(null))).toEqual(['', false])
  })

  it('cannot be read from parts that are not bytes', async () => {
    expect(await outcome(send(streamOf('12')))).toBe('body_unreadable')
  })

  it('is limited in bytes if a part is another view of them', async () => {
    expect(await outcome(send(streamOf(new DataView(new ArrayBuffer(5)))))).toBe('body_too_large')
    expect(await outcome(send(streamOf(new Uint16Array(3))))).toBe('body_too_large')
  })

  it('can be read from bytes of another realm', async () => {
    expect(await outcome(send(streamOf(runInNewContext('new Uint8Array([97, 98])'))))).toEqual(['ab', false])
  })

  it('stays as it was read if its source reuses the memory', async () => {
    const memory = new TextEncoder().encode('abc')
    const read = await readBody(send(streamOf(memory)), 4, clock)
    memory.fill(0)
    expect(read).toEqual({ bytes: new TextEncoder().encode('abc'), altered: false })
  })

  it.each([
    ['stops', () => undefined],
    ['goes on without an end', (controller: ReadableStreamDefaultController) => controller.enqueue(byte)],
  ])('is given up after 10 s if it %s, and its source is told', async (_, next) => {
    const reasons: unknown[] = []
    const body = new ReadableStream({
      pull: (controller) =>
        new Promise<void>((resolve) => {
          clock.after(900, () => {
            next(controller)
            resolve()
          })
        }),
      cancel: (reason) => void reasons.push(reason),
    })
    const read = outcome(send(body), 100)
    for (let second = 0; second < 11; second++) {
      clock.advance(1000)
      await settleWork()
    }
    expect(await read).toBe('body_unreadable')
    expect(reasons).toHaveLength(1)
  })

  it('can be read once', async () => {
    const request = send('abc')
    await request.text()
    expect(await outcome(request)).toBe('body_consumed')
  })
})
