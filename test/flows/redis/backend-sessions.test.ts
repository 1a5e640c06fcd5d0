/** Sessions that a backend's processes share in Redis: refreshed once, and kept while Redis restarts. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { redisSessionStore } from 'foyer-sdk/redis'
import { clientSecret, createSessionHandler } from 'foyer-sdk/server'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { missingRedis, type RedisServer, startRedis } from '../../support/redis-server'
import { GAME, hashOf, SessionBrowser } from '../../support/session-browser'
import { skipIfMissing } from '../../support/skip-if-missing'

const needsRedis = skipIfMissing(missingRedis())
let server: RedisServer
let emulator: Emulator

beforeAll(async () => {
  if (needsRedis.skip) return
  server = await startRedis({ isDurable: true })
  emulator = await createEmulator({ seed: { application: { publicClient: false } } })
})
afterAll(async () => {
  if (needsRedis.skip) return
  await emulator.close()
  await server.close()
})

/** A process of its own, which asks once it gets its order. */
async function forkProcess(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('../../support/session-process.mjs', import.meta.url)), {
    execArgv: [],
  })
  onTestFinished(() => void child.kill())
  await once(child, 'message')
  return child
}

/** What stands for a process of the backend: a connection and a handler of its own. */
function startProcess() {
  const redis = new Redis({ path: server.path })
  redis.on('error', () => undefined)
  const { id: applicationId, clientSecret: secret } = emulator.application
  const store = redisSessionStore(redis, { prefix: `foyer:${applicationId}`, logger: () => undefined })
  const credentials = clientSecret(secret)
  const handler = createSessionHandler({
    applicationId,
    service: { host: emulator.url },
    credentials,
    origins: [GAME],
    store,
  })
  onTestFinished(() => {
    handler.close()
    redis.disconnect()
  })
  return { handler, redis }
}

function copyOf(browser: SessionBrowser): SessionBrowser {
  const copy = new SessionBrowser(startProcess().handler)
  for (const cookie of browser.cookies) copy.cookies.set(...cookie)
  return copy
}

const tokenRequests = () => emulator.requests.filter(({ path }) => path.endsWith('/oauth2/token')).length

describe('sessions in Redis', needsRedis, () => {
  it('are refreshed once by 20 calls to four handlers, and Redis learns no token', async () => {
    const { handler, redis } = startProcess()
    const browser = new SessionBrowser(handler)
    const { access_token: first } = await browser.signIn(emulator)
    const processes = [copyOf(browser), copyOf(browser), copyOf(browser), copyOf(browser)]
    const before = tokenRequests()
    const calls = Array.from({ length: 20 }, async (_, index) =>
      processes[index % 4]?.ask('token', { refused: hashOf(first) }),
    )
    const tokens = (await Promise.all(calls)).map((answer) => answer?.['access_token'])
    expect([new Set(tokens).size, tokenRequests() - before]).toEqual([1, 1])
    const texts = await Promise.all((await redis.keys('*')).map((key) => redis.get(key)))
    expect([texts.length, texts.join('\n').includes(String(tokens[0]))]).toEqual([1, false])
  })

  it('are refreshed once by 20 calls to four real processes', async () => {
    const browser = new SessionBrowser(startProcess().handler)
    const { access_token: first } = await browser.signIn(emulator)
    const { id: applicationId, clientSecret: secret } = emulator.application
    const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'content-type': 'application/json', origin: GAME }
    const session = { headers, origin: GAME, body: JSON.stringify({ refused: hashOf(first) }), count: 5 }
    const backend = {
      redis: server.path,
      prefix: `foyer:${applicationId}`,
      host: emulator.url,
      applicationId,
      secret,
    }
    const children = await Promise.all([forkProcess(), forkProcess(), forkProcess(), forkProcess()])
    const before = tokenRequests()
    const ends = children.map(async (child): Promise<{ status: number; token: string }[]> => {
      const [message] = await once(child, 'message')
      return message
    })
    for (const child of children) child.send({ ...session, ...backend })
    const answers = (await Promise.all(ends)).flat()
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect([new Set(answers.map(({ token }) => token)).size, tokenRequests() - before]).toEqual([1, 1])
    expect(answers[0]?.token).not.toBe(first)
  })

  it('outlive a restart of Redis in the middle of a refresh, and nobody is signed out', async () => {
    const browser = new SessionBrowser(startProcess().handler)
    const { access_token: first, user_id: player } = await browser.signIn(emulator)
    emulator.faults([
      { match: { path: '*/oauth2/token' }, effect: { delay: 500, headers: { 'x-slow': '1' } } },
    ])
    const before = tokenRequests()
    const refreshing = browser.ask('token', { refused: hashOf(first) })
    await expect.poll(tokenRequests).toBeGreaterThan(before)
    await server.kill()
    const meanwhile = await copyOf(browser).post('token')
    expect([200, 503]).toContain(meanwhile.status)
    await server.start()
    const renewed = await refreshing
    expect(renewed).toMatchObject({ status: 200, user_id: player })
    expect(await copyOf(browser).ask('token')).toMatchObject({ status: 200, user_id: player })
  })
})
