/** `foyer-sdk/server` in workerd, the runtime of Cloudflare Workers, against the emulator: each part as in Node. */
import { createServer } from 'node:http'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client } from 'foyer-sdk'
import { supportedCompatibilityDate } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../../support/loopback'
import { codeFor } from '../../support/session-browser'
import { bundleWorker, type RunningWorker, startWorker } from '../../support/workers/start-worker'
import { loads } from '../script-syntax'

/** ms for an answer of a Worker. */
const PATIENCE = 15_000
const SOON = { timeout: PATIENCE, interval: 100 }

let script: string

beforeAll(async () => {
  script = await bundleWorker('backend-worker.mjs')
})

/** The oldest date that the documentation names, the one before which runtimes know no `cache`, and the newest of this workerd. */
describe.each(['2024-01-01', '2024-12-01', supportedCompatibilityDate])(
  'a Worker of %s',
  (compatibilityDate) => {
    let emulator: Emulator
    let worker: RunningWorker

    beforeAll(async () => {
      emulator = await createEmulator({ commands: { globalDelay: 0 }, idTokens: { forEveryGrant: true } })
      const { id, botToken, clientSecret, publicKey } = emulator.application
      const bindings = {
        FOYER_APPLICATION_ID: id,
        FOYER_BOT_TOKEN: botToken,
        FOYER_CLIENT_SECRET: clientSecret,
        FOYER_PUBLIC_KEY: publicKey,
        FOYER_HOST: emulator.url,
      }
      worker = await startWorker({ script, compatibilityDate, bindings })
    })
    afterAll(async () => {
      await worker.close()
      await emulator.close()
    })

    async function run(part: string, given: object = {}): Promise<unknown> {
      const init = { method: 'POST', body: JSON.stringify(given), signal: AbortSignal.timeout(PATIENCE) }
      return (await fetch(`${worker.url}/${part}`, init)).json()
    }

    async function tokensOf(as: string) {
      const client = new Client({ applicationId: emulator.application.id, service: { host: emulator.url } })
      const session = await client.signIn({
        surface: { open: async (url) => (await emulator.authorize(url, { as })).redirect ?? '' },
      })
      const { accessToken, refreshToken } = session.tokens
      client.close()
      return {
        userId: session.userId,
        accessToken: accessToken.reveal(),
        refreshToken: refreshToken?.reveal(),
      }
    }

    const signIn = async (as = 'ada') =>
      fetch(`${worker.url}/session/sign-in`, {
        method: 'POST',
        headers: { origin: 'https://game.example', 'content-type': 'application/json' },
        body: JSON.stringify(await codeFor(emulator, as)),
        signal: AbortSignal.timeout(PATIENCE),
      })

    it('syncs commands', async () => {
      expect(await run('commands')).toEqual({ done: 2 })
    })

    it('creates a lobby and reads it', async () => {
      expect(await run('lobby')).toEqual({ done: { mode: 'ranked' } })
    })

    it('refreshes tokens, verifies a player and redeems a ticket', async () => {
      const { userId, ...tokens } = await tokensOf('ada')
      expect(await run('verify', tokens)).toEqual({ done: userId })
      expect(await run('ticket', tokens)).toEqual({ done: userId })
      expect(await run('refresh', tokens)).toEqual({ done: 'object' })
    })

    it('signs a player in, and gives the page new tokens', async () => {
      const response = await signIn()
      expect(response.status).toBe(200)
      const cookie = String(response.headers.get('set-cookie')).split(';')[0] ?? ''
      const headers = { origin: 'https://game.example', 'content-type': 'application/json', cookie }
      const renewed = await fetch(`${worker.url}/session/token`, { method: 'POST', headers, body: '{}' })
      expect(renewed.status).toBe(200)
    })

    it('answers an interaction later, with a follow-up', async () => {
      await run('commands')
      await emulator.interactions.connect(`${worker.url}/interactions`)
      const outcome = await emulator.interactions.use({ as: 'ada', command: 'duel' })
      expect(outcome).toMatchObject({ kind: 'deferred' })
      const later = () =>
        emulator.requests
          .filter(({ path }) => path.includes('/webhooks/'))
          .map(({ method, status }) => `${method} ${status}`)
      await expect.poll(later, SOON).toEqual(expect.arrayContaining(['POST 200', 'PATCH 200']))
    })

    it('receives an event', async () => {
      await emulator.webhooks.connect(`${worker.url}/events`)
      await emulator.webhooks.send({ type: 'ENTITLEMENT_CREATE', data: { id: '5' } })
      await expect
        .poll(() => run('received'), SOON)
        .toMatchObject({ done: expect.arrayContaining(['ENTITLEMENT_CREATE']) })
    })

    it('answers each of fifteen players who sign in at once, and none waits for ever', async () => {
      const answers = await Promise.all(Array.from({ length: 15 }, () => signIn()))
      const others = answers.filter(({ status }) => status !== 200)
      expect(others.map(({ status, headers }) => [status, typeof headers.get('retry-after')])).toEqual(
        others.map(() => [429, 'string']),
      )
    })

    it('follows no redirect, and says so with the status', async () => {
      const visits: string[] = []
      const target = await listen(
        createServer((request, response) => (visits.push(String(request.url)), response.end('{}'))),
      )
      const server = await listen(
        createServer((_, response) =>
          response.writeHead(307, { location: `http://127.0.0.1:${target.port}/stolen` }).end(),
        ),
      )
      const outcome = await run('requestedFromElsewhere', { elsewhere: `http://127.0.0.1:${server.port}` })
      expect(outcome).toMatchObject({ error: expect.stringContaining('redirected') })
      expect(JSON.stringify(outcome)).toContain('307')
      expect(visits).toEqual([])
      await server.close()
      await target.close()
    })
  },
)

it('the bundle loads no module of Node', () => {
  expect(loads(script)).toEqual([])
})

it('a module that loads a Node built-in is found', () => {
  expect(loads("import fs from 'node:fs'")).toEqual(['node:fs'])
})
