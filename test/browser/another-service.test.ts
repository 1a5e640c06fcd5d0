/** The guide to another service, run as it is printed: its provider, its game and its page in a real browser. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { Provider } from 'oidc-provider'
import type { Browser, Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { blocks, ROOT } from '../package/markdown-pages'
import { launchChromium } from '../support/chromium'
import { popupAfter } from '../support/consent-page'
import { listen } from '../support/loopback'

const PLAYER = '175928847299117063'
const guide = blocks({ text: readFileSync(join(ROOT, 'docs/another-service.md'), 'utf8') })
const [service, game, html] = ['// service.mjs', '// game.js', '<!-- index.html -->'].map(
  (title) => guide.find(({ code }) => code.startsWith(title))?.code ?? '',
)

let browser: Browser
let page: Page
/** Paths that the provider was asked for. */
let asked: string[]
let cleanups: (() => unknown)[]

beforeEach(async () => {
  cleanups = []
  const { port: gamePort, server } = await servePage()
  const issuerPort = await startService(gamePort)
  server.script = await bundle((game ?? '').replaceAll('4400', String(issuerPort)))
  browser = await launchChromium()
  cleanups.push(() => browser.close())
  page = await browser.newPage()
  await page.goto(`http://localhost:${gamePort}/`)
  await page
    .locator('#player', { hasText: 'nobody' })
    .or(page.locator('#player:empty'))
    .waitFor({ state: 'attached' })
})
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
})

/** Runs the block of the service on a free port. */
async function startService(gamePort: number): Promise<number> {
  const free = await listen(createServer())
  await free.close()
  asked = []
  class Recorded extends Provider {
    override callback() {
      const handle = super.callback()
      return async (...given: Parameters<typeof handle>) => {
        asked.push((given[0].url ?? '').replace(/\?.*/, ''))
        await handle(...given)
      }
    }
  }
  const code = (service ?? '')
    .replace(/^import .*$/m, '')
    .replace('provider.listen', 'return provider.listen')
    .replaceAll('4400', String(free.port))
    .replaceAll('5173', String(gamePort))
  // oxlint-disable-next-line no-new-func, no-implied-eval -- the block of the page is the code under test
  const server: Server = new Function('Provider', code)(Recorded)
  cleanups.push(() => (server.closeAllConnections(), server.close()))
  if (!server.listening) await once(server, 'listening')
  return free.port
}

async function bundle(code: string): Promise<string> {
  const stdin = { contents: code, resolveDir: ROOT, sourcefile: 'game.js' }
  const { outputFiles } = await esbuild.build({
    stdin,
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

async function servePage() {
  const served = { script: '' }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const send = (type: string, body: string | Buffer) =>
      response.writeHead(200, { 'content-type': type }).end(body)
    if (pathname === '/') send('text/html', html ?? '')
    else if (pathname === '/game.js') send('text/javascript', served.script)
    else if (pathname === '/callback.html')
      send('text/html', readFileSync(join(ROOT, 'dist/callback/callback.html')))
    else if (pathname === '/callback.js')
      send('text/javascript', readFileSync(join(ROOT, 'dist/callback/callback.js')))
    else response.writeHead(404).end()
  })
  const { port, close } = await listen(server)
  cleanups.push(close)
  return { port, server: served }
}

async function signIn(): Promise<void> {
  const popup = await popupAfter(page, '#sign-in')
  await popup.getByPlaceholder('Enter any login').fill(PLAYER)
  await popup.getByPlaceholder('and password').fill('any')
  await popup.getByRole('button', { name: 'Sign-in' }).click()
  await popup.getByRole('button', { name: 'Continue' }).click()
  await page.locator('#player', { hasText: PLAYER }).waitFor()
}

describe('the guide to another service', () => {
  it('signs a player in, keeps the session over a reload, and signs out', async () => {
    await signIn()
    await page.reload()
    await page.locator('#player', { hasText: PLAYER }).waitFor()
    await page.click('#sign-out')
    await page.locator('#player', { hasText: 'nobody' }).waitFor()
    await expect.poll(() => asked).toContain('/token/revocation')
    expect(asked).toEqual(expect.arrayContaining(['/auth', '/token', '/jwks']))
  })

  it('asks the service for nothing that only the emulator has', async () => {
    await signIn()
    expect(asked.filter((path) => path.startsWith('/.well-known') || path.startsWith('/oauth2/'))).toEqual([])
  })
})
