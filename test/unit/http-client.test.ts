/** Requests of the HTTP client: what is not sent, not cancelled, or not downloaded. */
import { expect, it } from 'vitest'
import type { Fetch } from 'foyer-sdk'
import type { TransportAnswer } from 'foyer-sdk/server'
import { AbortGroup, requestJson, sendRequest } from '../support/internals'
import { settleWork } from '../support/counting-service'
import { ManualClock } from '../support/manual-clock'
import { rejection } from '../support/settle'

const requestOf = (method: 'GET' | 'PUT' | 'DELETE', signal?: AbortSignal) =>
  ({
    method,
    url: 'https://service.test/',
    route: `${method} /`,
    headers: {},
    body: null,
    timeout: 1000,
    ...(signal && { signal }),
  }) as const

const closedGroup = new AbortGroup()
closedGroup.end()

it.each([
  ['caller has aborted', AbortSignal.abort(), new AbortGroup()],
  ['client is closed', new AbortController().signal, closedGroup],
])('a request whose %s is not sent', async (_, signal, abortGroup) => {
  let sent = 0
  const transport = () => (sent++, { answer: new Promise<never>(() => undefined), abort: () => undefined })
  const outcome = rejection(() =>
    sendRequest({ transport, clock: new ManualClock(), abortGroup }, requestOf('GET', signal)),
  )
  expect(sent).toBe(0)
  expect(await outcome).toMatchObject({ code: 'aborted' })
})

it('a request that was answered is not cancelled when its client is closed', async () => {
  let cancelled = 0
  const answer = Promise.resolve({ status: 204, header: () => null, text: '' })
  const transport = () => ({ answer, abort: () => void cancelled++ })
  const abortGroup = new AbortGroup()
  expect(
    await sendRequest({ transport, clock: new ManualClock(), abortGroup }, requestOf('DELETE')),
  ).toMatchObject({
    status: 204,
    body: undefined,
  })
  abortGroup.end()
  expect(cancelled).toBe(0)
})

it('a request whose response arrived while the machine slept beyond its deadline is answered', async () => {
  const clock = new ManualClock()
  let respond: (() => void) | undefined
  const answer = new Promise<TransportAnswer>(
    (resolve) => (respond = () => resolve({ status: 204, header: () => null, text: '' })),
  )
  const outcome = sendRequest(
    { transport: () => ({ answer, abort: () => undefined }), clock },
    requestOf('PUT'),
  )
  clock.sleep(3_600_000)
  respond?.()
  expect(await outcome).toMatchObject({ status: 204 })
  expect(clock.waiting).toBe(0)
})

it('a page of a proxy instead of JSON is refused without being downloaded', async () => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) })
  const fetch: Fetch = async () =>
    new Response(body, { status: 502, headers: { 'content-type': 'text/html' } })
  const outcome = requestJson(
    { fetch, clock: new ManualClock() },
    { method: 'GET', url: 'https://service.test/', route: 'GET /' },
  )
  await expect(outcome).rejects.toMatchObject({ code: 'malformed_response', retryable: true })
  expect(isCancelled).toBe(true)
})

it.each([
  [
    'throws',
    () => {
      throw new TypeError('not ready')
    },
    'connection_failed',
  ],
  [
    'cannot cancel',
    () => ({
      answer: new Promise<never>(() => undefined),
      abort() {
        throw new TypeError('not ready')
      },
    }),
    'timed_out',
  ],
])('a transport that %s ends its request alone', async (_, transport, code) => {
  const clock = new ManualClock()
  const outcome = rejection(() =>
    sendRequest({ transport, clock, abortGroup: new AbortGroup() }, requestOf('GET')),
  )
  await settleWork()
  clock.advance(2000)
  expect(await outcome).toMatchObject({ code })
  expect(clock.waiting).toBe(0)
})
