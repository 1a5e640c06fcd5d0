/** A player's budget over real tabs and a worker of real Chromium. */
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { build } from 'vite'
import type { RateLimitStore } from 'foyer-sdk'
import { testRateLimitStore } from 'foyer-sdk/store-tests'
import type { AcquireRequest } from '../support/internals'
import { launchChromium } from '../support/chromium'

let browser: Browser
let context: BrowserContext
let server: Server
let url: string

beforeAll(async () => {
  const code = await bundle()
  server = createServer((request, response) => {
    const isScript = request.url === '/limits.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? code : '<!doctype html><title>Game</title>')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = typeof address === 'object' && address ? `http://127.0.0.1:${address.port}/` : ''
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  server.close()
})
beforeEach(async () => {
  context = await browser.newContext()
})
afterEach(() => context.close())

async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL('../support/limits-entry.ts', import.meta.url))
  const output = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const [result] = Array.isArray(output) ? output : [output]
  const chunk = result && 'output' in result ? result.output[0] : undefined
  if (!chunk) throw new Error('Nothing was bundled.')
  return chunk.code
}

async function openTab(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** A door to the budget that stands in a tab. */
function storeIn(page: Page, name: string): RateLimitStore {
  const call = (method: string, values: unknown[]) =>
    page.evaluate(
      `import('/limits.js').then(({ joinBudget }) => { self.stores ??= {}; const store = self.stores['${name}'] ??= joinBudget('${name}'); return store.${method}(...${JSON.stringify(values)}) })`,
    )
  return {
    acquire: (ask) => call('acquire', [ask]) as ReturnType<RateLimitStore['acquire']>,
    settle: (settlement) => call('settle', [settlement]) as Promise<void>,
    block: (bucket, ms) => call('block', [bucket, ms]) as Promise<void>,
    unblock: (bucket) => call('unblock', [bucket]) as Promise<void>,
    countRefusals: (count) => call('countRefusals', [count]) as ReturnType<RateLimitStore['countRefusals']>,
    close: () => call('close', []) as Promise<void>,
  }
}

describe('a budget that tabs share', () => {
  testRateLimitStore({
    test: it,
    expect,
    open: async (name) => storeIn(await openTab(), name),
    now: () => performance.now(),
    unit: 80,
  })

  const ASK: AcquireRequest = { buckets: [{ key: 'join', limit: 10, per: 60_000 }], want: 4, hold: 30_000 }

  it('survives a reload and a crash', async () => {
    const [first, second] = [await openTab(), await openTab()]
    await storeIn(first, 'reload').acquire(ASK)
    await first.reload()
    expect((await storeIn(first, 'reload').acquire(ASK)).leases).toHaveLength(4)
    const crashed = first.waitForEvent('crash')
    void first.goto('chrome://crash').catch(() => {})
    await crashed
    expect((await storeIn(second, 'reload').acquire(ASK)).leases).toHaveLength(2)
  })

  it('counts a worker like a tab', async () => {
    const page = await openTab()
    const leases = await page.evaluate(
      (text) =>
        new Promise((resolve) => {
          const code = `import { joinBudget } from '${location.origin}/limits.js'; postMessage((await joinBudget('worker').acquire(${text})).leases.length)`
          const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), {
            type: 'module',
          })
          worker.addEventListener('message', ({ data }) => resolve(data))
        }),
      JSON.stringify(ASK),
    )
    expect(leases).toBe(4)
    expect((await storeIn(page, 'worker').acquire({ ...ASK, want: 10 })).leases).toHaveLength(6)
  })

  it('keeps five tabs inside one limit, and lets each have its turn, also when one is killed in mid-flight', async () => {
    const checks: { tab: number; at: number }[] = []
    const tabs = await Promise.all(Array.from({ length: 5 }, openTab))
    const full = { buckets: [{ key: 'join_lobby:', limit: 10, per: 4000 }], hold: 1500 }
    const { leases } = await storeIn(tabs[0] ?? fail(), 'five').acquire({ ...full, want: 10 })
    for (const [tab, page] of tabs.entries()) {
      await page.exposeFunction('check', async () => {
        checks.push({ tab, at: performance.now() })
        await new Promise((resolve) => void setTimeout(resolve, 20))
      })
      await page.evaluate(
        "import('/limits.js').then(async ({ enter }) => void (self.contend = await enter('five')))",
      )
    }
    const done = tabs.map((page) => page.evaluate('contend(6, () => check())').catch(() => {}))
    await storeIn(tabs[0] ?? fail(), 'five').settle({ buckets: full.buckets, leases, how: 'unused' })
    await expect.poll(() => checks.filter(({ tab }) => tab === 0).length).toBeGreaterThan(0)
    await tabs[0]?.close()
    await Promise.all(done)
    const times = checks.map(({ at }) => at)
    for (const at of times)
      expect(times.filter((other) => other >= at && other < at + 4000).length).toBeLessThanOrEqual(10)
    const places = [1, 2, 3, 4].map((tab) =>
      checks.flatMap((check, place) => (check.tab === tab ? [place] : [])),
    )
    expect(places.map((own) => own.length)).toEqual([6, 6, 6, 6])
    // Six are three turns: nobody has had all of them before everybody has had one.
    expect(Math.min(...places.map((own) => own[5] ?? 0))).toBeGreaterThan(
      Math.max(...places.map((own) => own[0] ?? 0)),
    )
  })

  it('counts everything as just sent when the clock of the machine is set', async () => {
    const page = await openTab()
    const store = storeIn(page, 'step')
    const { leases } = await store.acquire(ASK)
    await store.settle({ buckets: ASK.buckets, leases, how: 'answered' })
    await page.evaluate('(() => { const real = Date.now; Date.now = () => real() + 3600000 })()')
    // Whatever else is looked at first.
    await store.acquire({ buckets: [], want: 0, hold: 0 })
    await store.acquire({ ...ASK, buckets: [{ key: 'other', limit: 1, per: 1000 }], want: 0 })
    expect((await store.acquire({ ...ASK, want: 10 })).leases).toHaveLength(6)
  })
})

function fail(): never {
  throw new Error('There are two tabs only.')
}
