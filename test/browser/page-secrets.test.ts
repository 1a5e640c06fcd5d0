/** What a page of a game holds that anybody could steal: every string of its memory, and all that its scripts can read. */
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import {
  type EngineGameOptions,
  type IssuedToken,
  serveEngineGame,
  tokensIn,
} from '../support/engines/serve-engine-game'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

/** Storage, cookies, databases, caches and addresses, as scripts of the page read them. */
const READABLE = `(async () => {
  const found = [document.cookie, window.name, location.href, JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })]
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    for (const store of database.objectStoreNames) {
      const all = await new Promise((resolve) => {
        database.transaction(store).objectStore(store).getAll().onsuccess = ({ target }) => resolve(target.result)
      })
      found.push(name, store, JSON.stringify(all))
    }
    database.close()
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const response of await cache.matchAll()) found.push(await response.text())
  }
  return found.join('\\n')
})()`

/** All strings in the memory of the page, in every JavaScript world. */
async function heapOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  const { strings } = JSON.parse(chunks.join('')) as { strings: string[] }
  return strings.join('\n')
}

/** A snapshot shortens strings to 1,024 characters. */
const partOf = (token: string): string => token.slice(0, 900)

interface Findings {
  /** Kinds of tokens of the service that are in the page's memory. */
  heap: string[]
  /** Kinds that scripts of the page can read from storage. */
  readable: string[]
}

/** Signs in, plays, reloads and searches. */
async function search(options: EngineGameOptions, query = ''): Promise<Findings> {
  const game = await serveEngineGame(options)
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const received = collectTokens(page)
    await page.goto(game.url + query)
    await page.evaluate("signInAs('ada')")
    await play(page)
    const early = { heap: await heapOf(page), readable: await page.evaluate<string>(READABLE) }
    await page.reload()
    await page.waitForFunction("document.querySelector('#outcome').textContent.startsWith('signed in')")
    await play(page)
    const [heap, readable] = [
      early.heap + (await heapOf(page)),
      early.readable + (await page.evaluate<string>(READABLE)),
    ]
    // The search reaches the memory of the page, and the session goes on.
    expect([heap.includes('moon-secret'), await page.evaluate('client.session.userId')]).toEqual([
      true,
      '175928847299117063',
    ])
    const issued = [...game.issued, ...(await Promise.all(received)).flat()]
    return { heap: kindsIn(heap, issued), readable: kindsIn(readable, issued) }
  } finally {
    await context.close()
  }
}

const play = (page: Page) =>
  page.evaluate(`(async () => {
    const lobby = await client.createOrJoinLobby('moon-secret')
    await lobby.send('Hello')
    await client.refreshToken()
    await client.fetchCurrentUser()
  })()`)

/** Tokens that the service gives to the page itself. */
function collectTokens(page: Page): Promise<IssuedToken[]>[] {
  const received: Promise<IssuedToken[]>[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/oauth2/token') && response.request().method() === 'POST')
      received.push(response.json().then(tokensIn))
  })
  return received
}

const kindsIn = (text: string, issued: readonly IssuedToken[]): string[] =>
  ['access_token', 'id_token', 'refresh_token'].filter((kind) =>
    issued.some((each) => each.kind === kind && text.includes(partOf(each.token))),
  )

const BACKEND: EngineGameOptions = { hasBackend: true, emulator: { idTokens: { forEveryGrant: true } } }

test('attack/208 a page whose backend keeps the tokens holds none: neither in its memory nor in its storage', async () => {
  expect(await search({ ...BACKEND, tokens: 'none' })).toEqual({ heap: [], readable: [] })
})

test('attack/208 a page whose backend gives it short tokens holds no refresh token, and stores none', async () => {
  expect(await search(BACKEND)).toEqual({ heap: ['access_token', 'id_token'], readable: [] })
})

test('attack/208 the same search finds every token of a page that signs in by itself', async () => {
  expect(await search({}, '?store=localStorageStore')).toEqual({
    heap: ['access_token', 'id_token', 'refresh_token'],
    readable: ['access_token', 'id_token', 'refresh_token'],
  })
  expect((await search({}, '?store=indexedDbStore')).heap).toContain('refresh_token')
})
