/** An IndexedDB that does not answer: one deadline, then memory at once, then another try. The requests are a page's, as far as they are used. */
import { Client, indexedDbStore } from 'foyer-sdk'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { CLIENT_ID, createTokenService, HOST, type TokenService } from '../support/token-service'

let service: TokenService
/** Requests to open, each with its answer. */
let requests: { answer: () => void }[]

beforeEach(async () => {
  service = await createTokenService()
  requests = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The requests with these numbers get an answer, the others none. */
function stubDatabase(isAnswered: (request: number) => boolean): void {
  const records = new Map<string, unknown>()
  const open = () => {
    const request = new EventTarget() as EventTarget & { result?: unknown }
    const answer = () => {
      request.result = createDatabase(records)
      request.dispatchEvent(new Event('success'))
    }
    if (isAnswered(requests.push({ answer }))) queueMicrotask(answer)
    return request
  }
  vi.stubGlobal('indexedDB', { open })
}

function createDatabase(records: Map<string, unknown>) {
  const transaction = () => {
    const whole = new EventTarget()
    const store = {
      get(key: string) {
        const request = Object.assign(new EventTarget(), { result: records.get(key) })
        queueMicrotask(() => {
          request.dispatchEvent(new Event('success'))
          queueMicrotask(() => whole.dispatchEvent(new Event('complete')))
        })
        return request
      },
      put: (value: unknown, key: string) => void records.set(key, value),
      delete: (key: string) => void records.delete(key),
    }
    return Object.assign(whole, {
      objectStore: () => store,
      abort: () => whole.dispatchEvent(new Event('abort')),
    })
  }
  const objectStoreNames = { contains: () => true }
  return Object.assign(new EventTarget(), { transaction, objectStoreNames, close: () => undefined })
}

/** Runs a call while timers pass, and returns its outcome and the ms that it took. */
async function timed<T>(work: () => Promise<T>): Promise<{ outcome: T | 'rejected'; ms: number }> {
  const start = Date.now()
  let ms = 0
  const settled = work().then(
    (outcome) => ((ms = Date.now() - start), outcome),
    () => ((ms = Date.now() - start), 'rejected' as const),
  )
  for (let step = 0; step < 200; step++) await vi.advanceTimersByTimeAsync(50)
  return { outcome: await settled, ms }
}

it('that never opens costs one deadline, and later calls none', async () => {
  stubDatabase(() => false)
  const store = indexedDbStore()
  const first = await timed(() => store.get('a'))
  expect(first).toMatchObject({ outcome: 'rejected' })
  expect(first.ms).toBeLessThanOrEqual(2600)
  vi.setSystemTime(Date.now() - 9000)
  expect(await timed(() => store.delete('a'))).toEqual({ outcome: 'rejected', ms: 0 })
})

it.each([
  ['every one', () => true],
  ['all but the first', (request: number) => request !== 1],
  ['only the first', (request: number) => request === 1],
])('that answers %s of the requests to open works within a second', async (_, isAnswered) => {
  stubDatabase(isAnswered)
  const store = indexedDbStore()
  expect((await timed(() => store.delete('a'))).ms).toBeLessThan(1000)
  vi.useRealTimers()
  await store.set('a', 'text')
  expect(await store.get('a')).toBe('text')
})

it('is tried again after a rest', async () => {
  let isBack = false
  stubDatabase(() => isBack)
  const store = indexedDbStore()
  await timed(() => store.get('a'))
  isBack = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect((await timed(async () => (await store.set('a', 'text'), store.get('a')))).outcome).toBe('text')
})

it('a change that was reported as failed does not happen later', async () => {
  stubDatabase(() => false)
  const store = indexedDbStore()
  await timed(() => store.delete('a'))
  const late = requests.splice(0)
  stubDatabase(() => true)
  await vi.advanceTimersByTimeAsync(10_000)
  await timed(() => store.set('a', 'new'))
  for (const { answer } of late) answer()
  expect((await timed(() => store.get('a'))).outcome).toBe('new')
})

it('signs a player in within one deadline, in memory', async () => {
  stubDatabase(() => false)
  const { fetch } = service
  const client = new Client({
    applicationId: CLIENT_ID,
    service: { host: HOST },
    fetch,
    clock: service.clock,
    tokenStore: indexedDbStore(),
  })
  onTestFinished(() => client.close())
  const signingIn = service.signIn(client)
  await expect.poll(() => requests.length).toBeGreaterThan(0)
  await vi.advanceTimersByTimeAsync(2600)
  expect((await signingIn).storage).toBe('memory')
})
