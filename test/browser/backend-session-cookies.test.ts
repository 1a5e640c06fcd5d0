/** Cookies of sessions that a backend holds, in real Chromium: in a frame of the same site, and for two games of one host. */
import { createServer } from 'node:http'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { toNodeListener, type SessionHandler } from 'foyer-sdk/server'
import type { Browser, Frame, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { launchChromium } from '../support/chromium'
import { listen } from '../support/loopback'
import { createHandlerOf } from '../support/page-of-backend'
import { codeFor } from '../support/session-browser'

let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

async function startEmulator(applicationId: string): Promise<Emulator> {
  const emulator = await createEmulator({ seed: { application: { id: applicationId, publicClient: false } } })
  onTestFinished(() => emulator.close())
  return emulator
}

/** A page without content, and the address of one that shows it in a frame of another origin of the same site. */
async function serveGame(
  emulator: Emulator,
): Promise<{ origin: string; portal: string; session: SessionHandler }> {
  const games: SessionHandler[] = []
  const server = createServer((incoming, outgoing) => {
    const [game] = games
    if (game && incoming.url?.startsWith('/session/')) void toNodeListener(game)(incoming, outgoing)
    else outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Game</title>')
  })
  const [own, other] = [
    await listen(server),
    await listen(createServer((_, outgoing) => outgoing.end(`<!doctype html>${frame}`))),
  ]
  const origin = `http://localhost:${own.port}`
  const frame = `<iframe src="${origin}/"></iframe>`
  onTestFinished(() => Promise.all([own.close(), other.close()]).then(() => undefined))
  const session = createHandlerOf(emulator, { origins: [origin] })
  games.push(session)
  return { origin, portal: `http://localhost:${other.port}/`, session }
}

/** Sends a request of the page to its backend. Resolves with the status. */
const post = (page: Page | Frame, name: string, body: object = {}): Promise<number> =>
  page.evaluate(
    async ([path, text]) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(path, { method: 'POST', credentials: 'include', headers, body: text })).status
    },
    [`/session/${name}`, JSON.stringify(body)] as const,
  )

const signIn = async (page: Page | Frame, emulator: Emulator, isEmbedded = false): Promise<number> =>
  post(page, 'sign-in', { ...(await codeFor(emulator)), isEmbedded })

async function open(): Promise<(url: string) => Promise<Page>> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  return async (url) => {
    const page = await context.newPage()
    await page.goto(url)
    return page
  }
}

describe('a player', () => {
  it('whose session in a frame of the same site has ended signs in on the page itself', async () => {
    const emulator = await startEmulator('1287654321098765433')
    const [game, visit] = [await serveGame(emulator), await open()]
    const portal = await visit(game.portal)
    const frame = portal.frames().find((each) => each.url().startsWith(game.origin)) ?? portal.mainFrame()
    await frame.waitForLoadState()
    expect([await signIn(frame, emulator, true), await post(frame, 'token')]).toEqual([200, 200])
    await game.session.end(emulator.users[0]?.id ?? '')
    const page = await visit(game.origin)
    expect(await post(page, 'token')).toBe(401)
    expect([await signIn(page, emulator), await post(page, 'token')]).toEqual([200, 200])
    expect([await post(page, 'sign-out'), await post(page, 'token')]).toEqual([200, 401])
  })

  it('stays signed in to a game while signing in to another one of the same host', async () => {
    const emulators = await Promise.all(['1287654321098765433', '1287654321098765434'].map(startEmulator))
    const visit = await open()
    const pages: Page[] = []
    for (const emulator of emulators) {
      const page = await visit((await serveGame(emulator)).origin)
      expect(await signIn(page, emulator)).toBe(200)
      pages.push(page)
    }
    expect(await Promise.all(pages.map((page) => post(page, 'token')))).toEqual([200, 200])
  })
})
