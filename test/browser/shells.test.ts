/** The listings of docs/shells.md in real Chromium, with the official packages of Tauri and Capacitor over what stands for the system. */
import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import type { Emulator } from 'foyer-emulator'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { serveFiles } from '../support/engines/serve-files'

const ADA = '175928847299117063'
const EVIL = 'mygame:/authorize/callback?code=evil&state=evil'
const INVITATION = 'mygame:/_service/join?secret='

/** The first listing below a heading of the page. */
function listing(heading: string): string {
  const page = readFileSync(new URL('../../docs/shells.md', import.meta.url), 'utf8')
  const [, code = ''] = new RegExp(`## ${heading}\n[^]*?\`\`\`ts\n([^]*?)\`\`\``).exec(page) ?? []
  // The scheme that the emulator's application has registered.
  return code.replaceAll('com.example.mygame', 'mygame')
}

/** The game of a listing. What stands for the system is there before the packages. */
async function gameOf(shell: string): Promise<string> {
  const install = `import { install${shell} } from './test/support/shells/bridges.mjs'
window.deliver = install${shell}({ open: (url) => window.openInSystem(url), launchLinks: () => window.launchLinks() })`
  const shown = `Object.assign(window, { client, session, invitation, isReady: true })`
  const { outputFiles } = await build({
    stdin: {
      contents: `import 'install'\n${listing(shell)}\n${shown}`,
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    plugins: [
      {
        name: 'install',
        setup: (bundler) => {
          bundler.onResolve({ filter: /^install$/ }, () => ({ path: 'install', namespace: 'install' }))
          bundler.onLoad({ filter: /.*/, namespace: 'install' }, () => ({
            contents: install,
            resolveDir: process.cwd(),
          }))
        },
      },
    ],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

let browser: Browser
let context: BrowserContext
const games = new Map<string, string>()
beforeAll(async () => {
  browser = await launchChromium()
  for (const shell of ['Tauri', 'Capacitor']) games.set(shell, await gameOf(shell))
})
afterAll(() => browser.close())
beforeEach(async () => {
  context = await browser.newContext()
})
afterEach(() => context.close())

interface Shell {
  emulator: Emulator
  /** Addresses that the system's browser has shown. */
  opened: string[]
  /** Starts the app, by these links if there are any. The storage of its web view stays. */
  start: (links?: string[]) => Promise<Page>
  /** Resolves with the response to the newest address. */
  consent: (as?: string) => Promise<string>
}

async function shellOf(name: string): Promise<Shell> {
  const { url, emulator } = await serveFiles(({ applicationId, host }) => ({
    '/': `<!doctype html><title>Game</title><link rel="icon" href="data:," /><script>
const applicationId = '${applicationId}', service = { host: '${host}' }, reported = []
addEventListener('unhandledrejection', () => reported.push('unhandled'))
function report({ code }) { reported.push(code) }</script><button id="button">Sign in</button><script type="module" src="/game.js"></script>`,
    '/game.js': games.get(name) ?? '',
  }))
  const opened: string[] = []
  return {
    emulator,
    opened,
    start: async (links = []) => {
      const page = await context.newPage()
      await page.exposeFunction('openInSystem', (address: string) => void opened.push(address))
      await page.exposeFunction('launchLinks', () => (links.length > 0 ? links : null))
      await page.goto(url)
      await page.waitForFunction('window.isReady')
      return page
    },
    consent: async (as = 'ada') => {
      await expect.poll(() => opened).not.toEqual([])
      return (await emulator.authorize(opened.at(-1) ?? '', { as })).redirect
    },
  }
}

/** Presses the button of the game. */
const signIn = (page: Page) =>
  page.evaluate(
    'window.outcome = undefined; client.signIn().then(({ userId }) => { window.outcome = userId }, ({ code }) => { window.outcome = code }); 0',
  )
const outcome = (page: Page) => () => page.evaluate('window.outcome')
const player = (page: Page) => () => page.evaluate('client.session?.userId')
const deliver = (page: Page, links: string[]) =>
  page.evaluate((given) => Reflect.get(window, 'deliver')(given), links)
const invitation = (page: Page) => () => page.evaluate('client.takeInvitation()?.secret')
const attempts = (page: Page) =>
  page.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("foyer:attempt")).length')
/** How often a code was redeemed. */
const exchanges = ({ emulator }: Shell) =>
  emulator.requests.filter(({ path }) => path.endsWith('/oauth2/token')).length

describe.each(['Tauri', 'Capacitor'])('an app of %s', (name) => {
  test('signs in by a link that arrives while it runs, whatever arrives before and after it', async () => {
    const shell = await shellOf(name)
    const page = await shell.start()
    await signIn(page)
    const link = await shell.consent()
    expect(link).toMatch(/^mygame:\/authorize\/callback\?/)
    await deliver(page, [EVIL, 'not a link', '', `${EVIL}&state=evil`, link.replace('state=', 'status=')])
    expect(await page.evaluate('[client.session, window.outcome, location.hash]')).toEqual([
      null,
      undefined,
      '',
    ])
    await deliver(page, [link])
    await expect.poll(outcome(page)).toBe(ADA)
    await deliver(page, [link, EVIL])
    expect([await attempts(page), exchanges(shell)]).toEqual([0, 1])
  })

  test('reports a refused consent, and handles the link that comes with it', async () => {
    const shell = await shellOf(name)
    const page = await shell.start()
    await page.click('button')
    await expect.poll(() => shell.opened).toHaveLength(1)
    const { redirect } = await shell.emulator.authorize(shell.opened[0] ?? '', { as: 'ada', deny: true })
    await deliver(page, [redirect, `${INVITATION}moon`])
    await expect.poll(invitation(page)).toBe('moon')
    // By the button and by the link.
    await expect.poll(() => page.evaluate('reported')).toEqual(['access_denied', 'access_denied'])
    await page.click('button')
    await expect.poll(() => shell.opened).toHaveLength(2)
    await deliver(page, [await shell.consent()])
    await expect.poll(player(page)).toBe(ADA)
    expect(await page.evaluate('reported')).toHaveLength(2)
  })

  test('signs in by a link that starts it, after it was killed, once', async () => {
    const shell = await shellOf(name)
    const first = await shell.start()
    await signIn(first)
    const link = await shell.consent()
    await first.close({ runBeforeUnload: false })
    const page = await shell.start([link])
    expect(await page.evaluate('session.userId')).toBe(ADA)
    // Android brings the same link twice.
    await deliver(page, [link])
    await page.reload()
    await expect.poll(player(page)).toBe(ADA)
    expect([await attempts(page), exchanges(shell)]).toEqual([0, 1])
  })

  test('signs in by a link that arrives after its page was loaded again', async () => {
    const shell = await shellOf(name)
    const page = await shell.start()
    await signIn(page)
    const link = await shell.consent()
    await page.reload()
    await page.waitForFunction('window.isReady')
    await deliver(page, [link])
    await expect.poll(player(page)).toBe(ADA)
  })

  test('can cancel a sign-in and begin another: the late link of the first is nobody’s', async () => {
    const shell = await shellOf(name)
    const page = await shell.start()
    await signIn(page)
    const late = await shell.consent()
    await page.evaluate('client.abortAuthorize()')
    await expect.poll(outcome(page)).toBe('aborted')
    expect(await attempts(page)).toBe(0)
    await deliver(page, [late])
    await signIn(page)
    await expect.poll(() => shell.opened.length).toBe(2)
    await deliver(page, [late, await shell.consent('bruno')])
    await expect.poll(outcome(page)).not.toBeUndefined()
    expect(await page.evaluate('window.outcome === client.session.userId')).toBe(true)
    expect([await page.evaluate('client.session.user.username'), exchanges(shell)]).toEqual(['bruno', 1])
  })

  test('ignores the link of a sign-in on another device, running and at its start', async () => {
    const shell = await shellOf(name)
    await signIn(await shell.start())
    const foreign = await shell.consent()
    await context.close()
    context = await browser.newContext()
    const page = await shell.start([foreign])
    await deliver(page, [foreign])
    expect(await page.evaluate('[session, client.session]')).toEqual([null, null])
    expect(exchanges(shell)).toBe(0)
  })

  test('takes an invitation that starts it, also after a reload, and gets it back after a sign-in that it did not survive', async () => {
    const shell = await shellOf(name)
    const first = await shell.start([`${INVITATION}moon+42`])
    expect(await first.evaluate('[invitation, location.hash]')).toEqual([{ secret: 'moon 42' }, ''])
    await signIn(first)
    const link = await shell.consent()
    await first.close()
    const page = await shell.start([link])
    expect(await page.evaluate('[session.userId, invitation]')).toEqual([ADA, { secret: 'moon 42' }])
    const later = await shell.start([`${INVITATION}sun`])
    expect(await later.evaluate('invitation')).toEqual({ secret: 'sun' })
    await later.reload()
    await later.waitForFunction('window.isReady')
    // Until the player has joined a lobby.
    expect(await later.evaluate('invitation')).toEqual({ secret: 'sun' })
  })

  test('takes an invitation that arrives while it runs, as often as it comes, also beside a sign-in', async () => {
    const shell = await shellOf(name)
    const page = await shell.start()
    await page.evaluate(
      'window.changes = 0; window.addEventListener("hashchange", () => { window.changes++ })',
    )
    for (const link of [`${INVITATION}moon`, `${INVITATION}moon`, 'https://game.example/#join=moon']) {
      await deliver(page, [link])
      await expect.poll(invitation(page)).toBe('moon')
    }
    expect(await page.evaluate('window.changes')).toBe(3)
    await signIn(page)
    await deliver(page, [`${INVITATION}sun`, await shell.consent()])
    await expect.poll(outcome(page)).toBe(ADA)
    await expect.poll(invitation(page)).toBe('sun')
  })

  test.each([
    '',
    '%20',
    'a'.repeat(251),
    'moon%0A',
    '%00',
    'moon%',
    '%FF',
    '%3Cscript%3E',
    '__proto__',
    'a&secret=b',
  ])('attack/349 takes no hostile invitation: %s', async (secret) => {
    const shell = await shellOf(name)
    const links = [`${INVITATION}${secret}`, `mygame:/_another/join?secret=moon`, `javascript:/_service/join`]
    const page = await shell.start(links)
    await deliver(page, links)
    expect(await page.evaluate('[invitation, client.takeInvitation(), location.hash]')).toEqual([
      null,
      null,
      '',
    ])
  })
})

test('an app whose system opens no browser says so', async () => {
  const shell = await shellOf('Tauri')
  const page = await shell.start()
  await page.evaluate('window.openInSystem = () => Promise.reject(new Error("no browser"))')
  await signIn(page)
  await expect.poll(outcome(page)).toBe('surface_failed')
  expect(await attempts(page)).toBe(0)
})
