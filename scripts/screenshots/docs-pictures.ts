/** Takes the pictures of the emulator's pages and the demo that the documentation shows, into `docs/images/`. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Browser, Locator, Page } from 'playwright'
import { createServer } from 'vite'
import { startDemo, stopDemo } from '../../test/browser/demo-process'
import { serveBackend, type Received, type Reply } from '../../test/emulator/support/backend'
import { launchChromium } from '../../test/support/chromium'
import { beginBoard, type Seat, signInAt } from '../../test/support/four-in-a-row-window'

const LOOK = {
  viewport: { width: 1280, height: 720 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
} as const
const MAPS = ['Moon', 'Moor', 'Mountain']
const DUEL = {
  name: 'duel',
  description: 'Challenge another player',
  options: [
    { type: 6, name: 'opponent', description: 'The player to challenge', required: true },
    { type: 3, name: 'map', description: 'Place of the duel', required: true, autocomplete: true },
  ],
}

/** @returns the files that were written. */
export async function takeDocsPictures(): Promise<string[]> {
  const browser = await launchChromium(undefined, { full: true })
  try {
    return [
      await takeChat(browser),
      await takeActivity(browser),
      ...(await takeDemo(browser)),
      await takeRefusal(browser),
      await takeFourInARow(browser),
    ]
  } finally {
    await browser.close()
  }
}

/** Pixels around a part of a page. */
const MARGIN = 16

/** @param part the element to show, with a margin. Default: the window. */
async function write(page: Page, name: string, part?: Locator): Promise<string> {
  const path = `docs/images/${name}.jpg`
  const clip = part && (await boxAround(page, part))
  await page.screenshot({ path, type: 'jpeg', quality: 75, ...(clip && { clip, fullPage: true }) })
  await page.close()
  return path
}

async function boxAround(page: Page, part: Locator) {
  await page.evaluate(() => scrollTo(0, 0))
  const box = await part.boundingBox()
  if (box === null) throw new Error('The part is not shown.')
  const { x, y, width, height } = box
  return { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN }
}

/** A command with suggestions, the response to an earlier one, and its request beside it. */
async function takeChat(browser: Browser): Promise<string> {
  const emulator = await createEmulator({ commands: { globalDelay: 0 } })
  const backend = await serveBackend(emulator, respond)
  try {
    await emulator.interactions.connect(backend.url)
    await register(emulator)
    const page = await browser.newPage(LOOK)
    await page.goto(`${emulator.url}/chat`)
    await fillCommand(page, 'moon')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Messages' }).getByText('The duel is on').waitFor()
    await page.locator('.requests summary').first().click()
    await fillCommand(page, 'mo')
    await page.getByText('3 suggestions').waitFor()
    return await write(page, 'chat')
  } finally {
    await Promise.all([emulator.close(), backend.close()])
  }
}

async function fillCommand(page: Page, map: string): Promise<void> {
  await page.getByRole('combobox', { name: /^Message to/ }).fill('/duel')
  await page.getByRole('option', { name: 'duel' }).click()
  await page.getByRole('combobox', { name: 'opponent' }).selectOption({ label: 'Bruno' })
  await page.getByRole('combobox', { name: 'map' }).fill(map)
  if (map !== 'moon') return
  await page.getByRole('option', { name: 'Moon' }).click()
  await page.getByRole('button', { name: 'Send' }).focus()
}

function respond({ type, data }: Received): Reply {
  if (type === 4)
    return { type: 8, data: { choices: MAPS.map((name) => ({ name, value: name.toLowerCase() })) } }
  const accept = { type: 2, custom_id: 'accept', label: 'Accept', style: 1 }
  const decline = { type: 2, custom_id: 'decline', label: 'Decline', style: 2 }
  const place = data.options?.find(({ name }) => name === 'map')?.value
  return {
    type: 4,
    data: {
      content: `The duel is on, place: ${String(place)}.`,
      components: [{ type: 1, components: [accept, decline] }],
    },
  }
}

async function register({ url, application }: Emulator): Promise<void> {
  const headers = { authorization: `Bot ${application.botToken}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v10/applications/${application.id}/commands`, {
    method: 'POST',
    headers,
    body: JSON.stringify(DUEL),
  })
  if (!response.ok) throw new Error(`The command was refused with ${response.status}.`)
}

/** Two players in one instance; one of them sees the consent dialog. */
async function takeActivity(browser: Browser): Promise<string> {
  const demo = await startDemo('--port', '0', '--activity-port', '0')
  try {
    const { origin, hash } = new URL(demo.inspector)
    const headers = { authorization: `Bearer ${hash.slice(1)}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ as: ['ada', 'bruno'] })
    const launched = await fetch(`${origin}/_emulator/activity/launch`, { method: 'POST', headers, body })
    const { url }: { url: string } = await launched.json()
    const page = await browser.newPage(LOOK)
    await page.goto(url)
    for (const state of await page.locator('.state').all())
      await state.filter({ hasText: 'connected' }).waitFor()
    await page.frameLocator('iframe[title*="Bruno"]').locator('#sign-in-button').click()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    return await write(page, 'activity')
  } finally {
    await stopDemo(demo)
  }
}

/** A sign-in with its steps and its session, its token request with the token revealed, and the same in the inspector. */
async function takeDemo(browser: Browser): Promise<string[]> {
  const demo = await startDemo('--port', '0', '--activity-port', '0')
  try {
    const page = await openDemo(browser, demo)
    await page.locator('.step', { hasText: 'Checked the ID token' }).waitFor()
    const exchange = await openDemo(browser, demo)
    await exchange.setViewportSize({ width: 1760, height: 990 })
    await exchange.getByRole('link', { name: 'Exchange' }).click()
    await exchange.locator('.exchange', { hasText: '/oauth2/token' }).click()
    await exchange.getByRole('button', { name: /^Reveal all/ }).click()
    await exchange.locator('.encoded-token').waitFor()
    return [
      await write(page, 'demo'),
      await write(exchange, 'exchange', exchange.locator('.exchange-chosen')),
      await takeInspector(browser, demo.inspector),
    ]
  } finally {
    await stopDemo(demo)
  }
}

async function openDemo(browser: Browser, { url }: { url: string }): Promise<Page> {
  const page = await browser.newPage({ ...LOOK, viewport: { width: 1440, height: 810 } })
  await page.goto(url)
  await page.locator('#quick-start').click()
  await page.locator('.player-name').waitFor()
  return page
}

/** The requests of one player, and one of them. */
async function takeInspector(browser: Browser, url: string): Promise<string> {
  const page = await browser.newPage({ ...LOOK, viewport: { width: 1440, height: 810 } })
  await page.goto(url)
  await page.getByRole('searchbox').fill('player:ada')
  await page.getByRole('option', { name: '/oauth2/token' }).first().click()
  await page.getByRole('table', { name: 'Claims of the ID token' }).waitFor()
  return write(page, 'inspector', page.locator('.requests'))
}

/** The page that a player sees when the game's redirect URI is not registered. */
async function takeRefusal(browser: Browser): Promise<string> {
  const emulator = await createEmulator()
  try {
    const page = await browser.newPage({ ...LOOK, viewport: { width: 1440, height: 810 } })
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id: emulator.application.id,
      redirect_uri: 'https://game.example/callback',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    await page.goto(`${emulator.url}/oauth2/authorize?${asked.toString()}`)
    await page.locator('main').waitFor()
    return await write(page, 'refusal', page.locator('main'))
  } finally {
    await emulator.close()
  }
}

/** Columns from the left, of a match that the first player wins with a diagonal. */
const MATCH = [4, 5, 5, 6, 3, 6, 6, 7, 4, 7, 2, 7, 7]

/** The windows of two players at the end of one match, which began with a link. */
async function takeFourInARow(browser: Browser): Promise<string> {
  const emulator = await createEmulator()
  Object.assign(process.env, { FOYER_HOST: emulator.url, FOYER_APPLICATION_ID: emulator.application.id })
  const server = await createServer({ root: 'examples/four-in-a-row', logLevel: 'error' })
  try {
    await server.listen(0)
    const ada = await openGame(browser, server.resolvedUrls?.local[0] ?? '', 'Ada Quinn')
    const bruno = await openGame(browser, await beginBoard(ada), 'Bruno')
    for (const [index, column] of MATCH.entries()) {
      const player = index % 2 === 0 ? ada : bruno
      await player.says(/^Your turn/)
      await player.click(column)
    }
    await ada.says(/You win/)
    await bruno.says(/Ada Quinn wins/)
    return await writeSideBySide(browser, [ada, bruno])
  } finally {
    await Promise.all([server.close(), emulator.close()])
  }
}

/** The game as players have it, without the panel for developers. */
async function openGame(browser: Browser, url: string, name: string): Promise<Seat> {
  const context = await browser.newContext({ viewport: { width: 640, height: 720 }, reducedMotion: 'reduce' })
  await context.route('**/@foyer/panel.js', (route) => route.abort())
  return signInAt(context, url, name)
}

async function writeSideBySide(browser: Browser, seats: readonly Seat[]): Promise<string> {
  for (const { page } of seats) await page.mouse.move(0, 0)
  const windows = await Promise.all(
    seats.map(async ({ page }) => (await page.screenshot()).toString('base64')),
  )
  await Promise.all(seats.map(({ page }) => page.context().close()))
  const page = await browser.newPage({ viewport: { width: 1344, height: 752 } })
  const pictures = windows
    .map((each) => `<img src="data:image/png;base64,${each}" style="border-radius: 12px">`)
    .join('')
  await page.setContent(
    `<body style="margin: 16px; display: flex; gap: 32px; background: #fff">${pictures}</body>`,
  )
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
  return write(page, 'four-in-a-row')
}
