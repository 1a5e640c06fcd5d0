/** The consent page in the SDK’s popup: visible buttons, and a report of a missing callback page. */
import { createServer, type RequestListener } from 'node:http'
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../../support/chromium'
import { listen } from '../../support/loopback'
import { beginSignIn } from '../../emulator/support/sign-in-client.js'

let browser: Browser
const cleanups: (() => Promise<void>)[] = []

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

type Seed = NonNullable<Parameters<typeof createEmulator>[0]>['seed']

async function start(seed: Seed = {}): Promise<Emulator> {
  const emulator = await createEmulator({ seed })
  cleanups.push(() => emulator.close())
  return emulator
}

async function open(url: string, viewport = { width: 480, height: 720 }): Promise<Page> {
  const context = await browser.newContext({ viewport })
  cleanups.push(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  return page
}

const everyScope = 'openid identify email sdk.social_layer applications.commands'
const many = Array.from({ length: 40 }, (_, index) => ({
  id: String(900 + index),
  username: `player${index}`,
  globalName:
    ['Ada', 'محمد عبد الرحمن الطويل', '名前がとても長いプレイヤー', 'Ein langer Name mit vier Wörtern'][
      index % 4
    ] ?? '',
  locale: ['en-US', 'ar', 'ja', 'de'][index % 4] ?? 'en-US',
}))
const seeds: [string, Seed][] = [
  ['the default players', {}],
  [
    'one player',
    {
      defaults: false,
      users: many.slice(0, 1),
      application: { redirectUris: ['mygame:/authorize/callback'] },
    },
  ],
  [
    '40 players with names in four scripts, and a long name of the game',
    { users: many, application: { name: 'A long name of a game '.repeat(4).trim() } },
  ],
]

describe.each(seeds)('the consent page with %s', (_name, seed) => {
  it.each([
    [480, 720],
    [320, 480],
  ])(
    'shows both buttons at %i x %i pixels, before and after scrolling, for few scopes and for all',
    async (width, height) => {
      const emulator = await start(seed)
      const redirect_uri = emulator.application.redirectUris[0] ?? 'mygame:/authorize/callback'
      for (const scope of ['openid', everyScope]) {
        const page = await open((await beginSignIn(emulator, { scope, redirect_uri })).url, { width, height })
        for (const end of ['0', 'document.body.scrollHeight']) {
          await page.evaluate(`scrollTo(0, ${end})`)
          for (const name of ['Approve', 'Deny']) {
            const box = await page.getByRole('button', { name }).boundingBox()
            expect(box).not.toBeNull()
            const { x, y, width: wide, height: high } = box ?? { x: -1, y: -1, width: 0, height: 0 }
            expect([x >= 0, y >= 0, x + wide <= width, y + high <= height]).toEqual([true, true, true, true])
            const hit = `document.elementFromPoint(${x + wide / 2}, ${y + high / 2}).textContent.trim()`
            expect(await page.evaluate(hit)).toBe(name)
          }
        }
      }
    },
  )
})

it('the consent page does not cover the focused player with its buttons', async () => {
  const emulator = await start({ users: many })
  const page = await open((await beginSignIn(emulator)).url, { width: 320, height: 480 })
  await page.keyboard.press('Tab')
  for (let presses = 0; presses < 12; presses++) await page.keyboard.press('ArrowDown')
  const focused = await page.locator(':focus').boundingBox()
  const bar = await page.getByRole('button', { name: 'Approve' }).boundingBox()
  expect((focused?.y ?? 999) + (focused?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
})

const callbackHtml = '<!doctype html><title>Sign-in</title><script src="callback.js"></script>'
const send =
  (responses: Record<string, [type: string, text: string]>, fallback?: string): RequestListener =>
  ({ url = '' }, response) => {
    const [type, text] = responses[url] ?? (fallback === undefined ? [] : ['text/html', fallback])
    if (type === undefined) response.writeHead(404).end('not found')
    else response.writeHead(200, { 'content-type': type }).end(text)
  }
const html = (text: string): [string, string] => ['text/html', text]

async function consent(listener: RequestListener, path = '/callback.html') {
  const emulator = await start()
  const game = await listen(createServer(listener))
  cleanups.push(game.close)
  const uri = `http://127.0.0.1:${game.port}${path}`
  const page = await open((await beginSignIn(emulator, { redirect_uri: uri })).url)
  return { page, uri }
}

describe('the consent page checks the callback page before Approve:', () => {
  it.each([
    ['that is missing', send({}), 'answers 404 for /callback.html'],
    [
      'that is the game page instead',
      send({}, '<!doctype html><title>Game</title>'),
      'another page for /callback.html',
    ],
    ['without its script', send({ '/callback.html': html(callbackHtml) }), 'its callback.js is not'],
    [
      'whose script is the game page',
      send({ '/callback.html': html(callbackHtml) }, '<!doctype html>'),
      'its callback.js is not',
    ],
  ])('a callback page %s is reported with its correction', async (_case, listener, expectedText) => {
    const { page, uri } = await consent(listener)
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toContain(expectedText)
    expect(await alert.textContent()).toContain(
      `Copy callback.html and callback.js from node_modules/foyer-sdk/dist/callback to where ${uri} is served`,
    )
    const [alertBox, bar] = [
      await alert.boundingBox(),
      await page.getByRole('button', { name: 'Approve' }).boundingBox(),
    ]
    expect((alertBox?.y ?? 999) + (alertBox?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
  })

  it('an address without a server is reported', async () => {
    const emulator = await start()
    const gone = await listen(createServer())
    await gone.close()
    const page = await open(
      (await beginSignIn(emulator, { redirect_uri: `http://localhost:${gone.port}/callback` })).url,
    )
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain(
      `Nothing answers at http://localhost:${gone.port}`,
    )
  })

  it.each([
    [
      'of the SDK',
      '/callback.html',
      send({ '/callback.html': html(callbackHtml), '/callback.js': ['text/javascript', ''] }),
    ],
    [
      'of the game',
      '/callback.html',
      send({ '/callback.html': html('<!doctype html><script src="/own.js"></script>') }),
    ],
    ['that is the game page', '/', send({ '/': html('<!doctype html><title>Game</title>') })],
  ])('a callback page %s is accepted silently', async (_case, path, listener) => {
    const emulator = await start({ application: { redirectUris: ['http://127.0.0.1/'] } })
    const game = await listen(createServer(listener))
    cleanups.push(game.close)
    const page = await open('about:blank')
    const checked = page.waitForResponse((response) => response.url().endsWith('/callback'))
    await page.goto(
      (await beginSignIn(emulator, { redirect_uri: `http://127.0.0.1:${game.port}${path}` })).url,
    )
    expect(await (await checked).json()).toMatchObject({ problem: null })
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('a server that waits for a single request gets none', async () => {
    const requested: (string | undefined)[] = []
    const { page } = await consent((request, response) => {
      requested.push(request.url)
      response.end()
    }, '/callback')
    await page.waitForLoadState('networkidle')
    expect(requested).toEqual([])
  })

  it('the check runs only in the browser that began the sign-in', async () => {
    const { page } = await consent(send({}))
    expect((await fetch(`${page.url()}/callback`)).status).toBe(404)
  })
})
