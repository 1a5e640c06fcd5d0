/** The callback page at hosts as they are: each signs in, or says before the consent why it cannot. In every engine. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmulator } from 'foyer-emulator'
import httpServer from 'http-server'
import handler from 'serve-handler'
import sirv from 'sirv'
import { expect } from 'vitest'
import type { EnginePage } from '../../../support/engines/engine'
import { engineGame, expectOutcome, openGame } from '../../../support/engines/engine-game'
import { closeAfterTest, inEveryEngine } from '../../../support/engines/in-every-engine'
import { listen } from '../../../support/loopback'

const ADA = 'signed in 175928847299117063'
const HTML = `<!doctype html><title>Game</title><link rel="icon" href="data:," /><button id="popup">Popup</button>
<button id="redirect">Redirect</button><button id="cancel">Cancel</button><output id="outcome"></output>
<script src="/foyer.js"></script><script src="/game.js"></script>`

type Host = (folder: string) => RequestListener

/** `/callback.html?x` becomes `/callback?x`, as with hosts of clean URLs that keep the query. */
const redirecting: Host = (folder) => {
  const files = sirv(folder, { dev: true })
  return (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname !== '/callback.html') return files(request, response)
    response.writeHead(308, { location: `/callback${search}` }).end()
  }
}

const SIGNS_IN: Record<string, Host> = {
  'sirv, as of vite preview': (folder) => sirv(folder, { dev: true }),
  'http-server': (folder) => {
    const { server } = httpServer.createServer({ root: folder })
    return (request, response) => void server.emit('request', request, response)
  },
  'a host that redirects to /callback with the query': redirecting,
}

/** The folder of a built game, served by a host. */
async function serveGame(host: Host): Promise<string> {
  const emulator = await createEmulator()
  closeAfterTest(emulator)
  const folder = mkdtempSync(join(tmpdir(), 'foyer-host-'))
  closeAfterTest({ close: async () => rmSync(folder, { recursive: true }) })
  cpSync('dist/callback', folder, { recursive: true })
  cpSync('dist/umd/index.umd.js', join(folder, 'foyer.js'))
  writeFileSync(join(folder, 'index.html'), HTML)
  const config = JSON.stringify({ applicationId: emulator.application.id, host: emulator.url })
  writeFileSync(join(folder, 'game.js'), `(${String(engineGame)})(${config})`)
  const server = await listen(createServer(host(folder)))
  closeAfterTest(server)
  return `http://localhost:${server.port}/`
}

async function approve(page: EnginePage): Promise<void> {
  const popup = await page.popupAfter('#popup')
  await popup.press('Ada')
  await popup.press('Approve')
}

inEveryEngine((engineTest) => {
  for (const [name, host] of Object.entries(SIGNS_IN)) {
    engineTest(`${name} signs the player in`, async (engine) => {
      const page = await openGame(await engine.open(), await serveGame(host))
      await approve(page)
      await expectOutcome(page, ADA)
    })
  }

  engineTest('serve with its defaults, which drop the query, is named before the consent', async (engine) => {
    const page = await openGame(
      await engine.open(),
      await serveGame((folder) => (request, response) => void handler(request, response, { public: folder })),
    )
    await page.popupAfter('#popup')
    await expectOutcome(page, 'callback_unavailable')
    expect(await page.evaluate('messages.at(-1)')).toContain(
      '/callback.html is redirected to /callback without its query',
    )
  })

  engineTest(
    'a page of the game at the redirect URI hands the response over, and its popup closes',
    async (engine) => {
      const url = await serveGame((folder) => sirv(folder, { dev: true }))
      const page = await openGame(await engine.open(), url)
      await page.evaluate(`void (() => {
      const { signIn } = client
      client.signIn = (given) => signIn.call(client, { surface: Foyer.popupSurface({ redirectUri: '/' }), ...given })
    })()`)
      await approve(page)
      await expectOutcome(page, ADA)
      await expect.poll(() => page.windows()).toBe(1)
    },
  )

  engineTest('a window.open that returns the game’s own window signs in as by a redirect', async (engine) => {
    const url = await serveGame((folder) => sirv(folder, { dev: true }))
    const page = await openGame(await engine.open(), url)
    await page.evaluate('void (window.open = (address) => (location.assign(address), window))')
    await page.click('#popup')
    await page.press('Ada')
    await page.press('Approve')
    await expectOutcome(page, ADA)
    expect(await page.url()).toBe(url)
  })
})
