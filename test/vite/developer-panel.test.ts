/** The developer panel of `foyer-sdk/vite`: who is signed in, what was asked, links, and a second player in the same browser. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { serveSecondName } from '../support/internals'
import { launchChromium } from '../support/chromium'
import { approve, popupAfter } from '../support/consent-page'
import { createViteProject, loadVite } from '../support/vite-project'

/** A game that keeps its session. */
const KEEPING_GAME = `import { Client, indexedDbStore } from 'foyer-sdk'
const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
const client = new Client({ applicationId, service: { host }, tokenStore: indexedDbStore() })
const show = (session) => { document.querySelector('#outcome').textContent = session?.user.username ?? 'nobody' }
document.querySelector('#sign-in').onclick = () => client.signIn().then(show)
document.querySelector('#user').onclick = () => client.createOrJoinLobby('moon-42')
await client.resume().then(show)
`

/** A game with two mistakes: it never calls `resume`, and it hears messages that nobody asks for. */
const FORGETFUL_GAME = `import { Client, redirectSurface } from 'foyer-sdk'
const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
const client = new Client({ applicationId, service: { host } })
const left = new Client({ applicationId, service: { host }, profile: 'left', surface: redirectSurface() })
const show = (session) => { document.querySelector('#outcome').textContent = session?.user.username ?? 'nobody' }
document.querySelector('#sign-in').onclick = () => client.signIn().then(show)
document.querySelector('#user').onclick = async () => {
  const lobby = await client.createOrJoinLobby('moon-42')
  lobby.on('message', () => undefined)
  document.querySelector('#outcome').textContent = 'in the lobby'
  window.leave = () => left.signIn()
}
`

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

async function startGame(code = KEEPING_GAME): Promise<string> {
  const project = createViteProject()
  onTestFinished(() => project[Symbol.dispose]())
  project.write('main.js', code)
  const vite = await loadVite(8)
  const server = await vite.createServer({ root: project.root, logLevel: 'silent' })
  onTestFinished(() => server.close())
  await server.listen(0)
  return server.resolvedUrls?.local[0] ?? ''
}

async function open(url: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('foyer-panel #toggle').click()
  return { context, page }
}

async function signIn(page: Page, name: string, username: string): Promise<void> {
  await approve(await popupAfter(page, '#sign-in'), name)
  await page.locator('#outcome', { hasText: username }).waitFor()
}

const panelOf = (page: Page) => page.locator('foyer-panel section')

test('shows who is signed in by name, the last requests with the player, and the limits in use', async () => {
  const { page } = await open(await startGame())
  await panelOf(page).getByText('nobody').waitFor()
  await signIn(page, 'Ada Quinn', 'ada')
  await page.click('#user')
  const panel = panelOf(page)
  const text = () => panel.innerText()
  await expect.poll(text).toMatch(/Players with a session\s+Ada Quinn\n/)
  await expect.poll(text).toMatch(/20\d PUT \/api\/v10\/lobbies ada/)
  await expect.poll(text).toMatch(/Ada Quinn: join_lobby 1\/10/)
  expect(await text()).not.toContain('OPTIONS')
})

test('scrolls inside of itself where the window has no room for all of it', async () => {
  const { page } = await open(await startGame())
  await panelOf(page).getByText('nobody').waitFor()
  for (const [width, height] of [
    [1000, 320],
    [320, 500],
  ] as const) {
    await page.setViewportSize({ width, height })
    const [panel, toggle] = [panelOf(page), page.locator('foyer-panel #toggle')]
    for (const part of [panel, toggle]) {
      const box = await part.boundingBox()
      expect(box).toMatchObject({ x: expect.any(Number), y: expect.any(Number) })
      const { x = -1, y = -1, width: wide = 0, height: high = 0 } = box ?? {}
      expect(Math.min(x, y, width - x - wide, height - y - high)).toBeGreaterThanOrEqual(8)
    }
    for (const name of ['Players with a session', 'Open'])
      await panel.getByRole('heading', { name, exact: true }).scrollIntoViewIfNeeded()
    await panel
      .getByRole('link', { name: 'Activity' })
      .or(panel.getByRole('link', { name: 'Chat' }))
      .first()
      .click({ trial: true })
  }
})

test('shows what the code of the game forgot, with what to do, also while it is closed', async () => {
  const { page } = await open(await startGame(FORGETFUL_GAME))
  await signIn(page, 'Ada Quinn', 'ada')
  const toggle = page.locator('foyer-panel #toggle')
  await toggle.click()
  await page.clock.install()
  await page.click('#user')
  await page.locator('#outcome', { hasText: 'in the lobby' }).waitFor()
  await page.clock.fastForward(5000)
  await toggle.filter({ hasText: 'Foyer: 1 to do' }).click()
  await panelOf(page)
    .getByText(/^lobby\.unwatched: .*call lobby\.watch\(\)/)
    .waitFor()
  await page.evaluate('void leave()')
  await page.waitForURL(/\/oauth2\//)
  await approve(page, 'Ada Quinn')
  await page.waitForURL(/[?&]code=/)
  await page.locator('foyer-panel #toggle').click()
  await page.clock.fastForward(5000)
  const found = panelOf(page).getByText(/^callback\.untaken: /)
  await found.waitFor()
  expect(await found.innerText()).toContain('call client.resume() when the page starts')
})

test('opens the game for a second player, whose session stays beside the first one', async () => {
  const { context, page } = await open(await startGame())
  await signIn(page, 'Ada Quinn', 'ada')
  const opened = context.waitForEvent('page')
  await panelOf(page).getByRole('link', { name: 'Second player' }).click()
  const second = await opened
  await second.locator('#outcome', { hasText: 'nobody' }).waitFor()
  await signIn(second, 'Bruno', 'bruno')
  await page.reload()
  await page.locator('#outcome', { hasText: 'ada' }).waitFor()
  await second.reload()
  await second.locator('#outcome', { hasText: 'bruno' }).waitFor()
  await second.locator('foyer-panel #toggle').click()
  await panelOf(second).getByText('Ada Quinn, Bruno').waitFor()
  expect(await panelOf(second).getByRole('link', { name: 'First player' }).getAttribute('href')).toBe(
    page.url(),
  )
})

test('links to Inspector and Chat, and no script of the page gets the control token', async () => {
  const url = await startGame()
  const { context, page } = await open(url)
  const opened = context.waitForEvent('page')
  await panelOf(page).getByRole('link', { name: 'Inspector' }).click()
  await (await opened).getByRole('heading', { name: 'Requests' }).waitFor()
  await expect
    .poll(() => panelOf(page).getByRole('link', { name: 'Chat' }).getAttribute('href'))
    .toMatch(/^http:.+\/chat$/)
  const found = await page.evaluate(async () => {
    const state = await fetch('/@foyer/state', { headers: { 'x-foyer-panel': '1' } })
    const inspector = await fetch('/@foyer/inspector', {
      redirect: 'manual',
      headers: { 'x-foyer-panel': '1' },
    })
    return { state: await state.text(), inspector: inspector.status, dom: document.documentElement.outerHTML }
  })
  expect(found.inspector).toBe(403)
  expect(found.state + found.dom).not.toMatch(/emu_control|controlToken/)
  const foreign = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }
  expect((await fetch(`${url}@foyer/inspector`, { headers: foreign, redirect: 'manual' })).status).toBe(403)
})

test('a server at ::1 alone answers at 127.0.0.1 too, until it closes', async () => {
  const server = createServer((_, response) => response.end('the game')).listen(0, '::1')
  await once(server, 'listening')
  serveSecondName(server)
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  const text = () =>
    fetch(url, { headers: { connection: 'close' } }).then(
      (response) => response.text(),
      () => 'no answer',
    )
  await expect.poll(text).toBe('the game')
  server.close()
  await expect.poll(text).toBe('no answer')
})
