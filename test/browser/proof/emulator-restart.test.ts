/** The emulator is killed and started again while every screen is open: nothing typed is lost, and each page says so and goes on. */
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../../support/chromium'
import { approve, popupAfter } from '../../support/consent-page'
import { type Demo, startBuiltDemo, stopDemo } from '../demo-process'

/** Time in which a page says that the emulator is gone, in ms of its own timer. */
const NOTICED = 3000
const TICK = 50

interface Open {
  page: Page
  /** Reads what was typed. */
  typed: () => Promise<string>
  /** Resolves when the page says that nothing answers. */
  saysLost: () => Promise<void>
  /** Resolves when the page can be used again. */
  recovers: () => Promise<unknown>
}

let browser: Browser
let context: BrowserContext
let other: BrowserContext
let third: BrowserContext
let demo: Demo
let open: Map<string, Open>
let noticed: Map<string, number>

beforeAll(async () => {
  browser = await launchChromium()
  context = await browser.newContext()
  // Browsers allow six connections to one host, and each game holds a stream: some pages have a pool of their own.
  other = await browser.newContext()
  third = await browser.newContext()
  // Every emulator prefers 3333: another test could take it during the restart.
  demo = await startBuiltDemo('--port', '0', '--activity-port', '0')
  open = new Map([
    ['sign-in', await openDemo('', 'Scopes')],
    ['lobby', await openDemo('#lobby', 'Secret of the lobby')],
    ['arguments', await openDemo('', 'Scopes', 'openid')],
    ['exchange', await openExchange()],
    ['limits', await openDemo('#limits', 'Requests', '321')],
    ['doctor', await openResults('#doctor', runChecks, '.diagnoses')],
    ['service', await openService()],
    ['commands', await openCommands()],
    ['chat', await openChat()],
    ['inspector', await openInspector()],
    ['inspector without token', await openClosedInspector()],
    ['launch', await openLaunch()],
    ['invitation', await openInvitation()],
    ['consent', await openConsent()],
    ['device', await openDevice()],
    ['index', await openIndex()],
    ['not found', await openMessage(`${emulatorUrl()}/nothere`)],
    ['refused request', await openMessage(`${emulatorUrl()}/oauth2/authorize?client_id=1`)],
    ['instance that is over', await openMessage(`${await activityUrl()}?instance_id=1&as=ada`)],
    ['not found at the host', await openMessage(new URL('/_activity/nothere', await activityUrl()).href)],
    ['Activity', await openActivity()],
  ])
  noticed = await restart()
}, 300_000)

afterAll(async () => {
  await browser.close()
  await stopDemo(demo)
})

const emulatorUrl = () => new URL(demo.inspector).origin

async function openAt(url: string, within = context): Promise<Page> {
  const page = await within.newPage()
  await page.goto(url)
  return page
}

async function openDemo(fragment: string, label: string, text = 'openid identify'): Promise<Open> {
  const page = await openAt(demo.url + fragment)
  await page.locator('main:not([aria-busy])').waitFor()
  const field = page.getByLabel(label, { exact: true }).first()
  await field.fill(text)
  const lost = page.getByRole('alert').filter({ hasText: 'does not answer' })
  const recovers = () => page.getByText('The emulator was started again').waitFor()
  return {
    page,
    typed: () => field.inputValue(),
    saysLost: () => lost.waitFor({ timeout: 20_000 }),
    recovers,
  }
}

/** Demo's screen without a field: its results stay. */
async function openResults(
  fragment: string,
  begin: (page: Page) => Promise<unknown>,
  results: string,
): Promise<Open> {
  const page = await openAt(demo.url + fragment, other)
  await page.locator('main:not([aria-busy])').waitFor()
  await begin(page)
  const lost = page.getByRole('alert').filter({ hasText: 'does not answer' })
  const recovers = () => page.getByText('The emulator was started again').waitFor()
  return {
    page,
    typed: () => page.locator(results).innerText(),
    saysLost: () => lost.waitFor({ timeout: 20_000 }),
    recovers,
  }
}

async function runChecks(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run the checks' }).click()
  await page.getByText(/\d+ passed, \d+ warnings, \d+ failed/).waitFor()
}

async function filterExchanges(page: Page): Promise<void> {
  await approve(await popupAfter(page, '#sign-in-button'))
  await page.locator('.player-name').first().waitFor()
  await page.click('#to-exchange')
  await page.getByLabel('Filter').fill('token')
}

/** The filter is there when something was sent. */
async function openExchange(): Promise<Open> {
  const opened = await openResults('', filterExchanges, 'main')
  return { ...opened, typed: () => opened.page.getByLabel('Filter').inputValue() }
}

function openService(): Promise<Open> {
  return openResults(
    '#service',
    (page) => page.getByRole('radio', { name: 'in the body' }).check(),
    '#services',
  )
}

async function openCommands(): Promise<Open> {
  const page = await openAt(`${demo.url}#commands`)
  const editor = page.getByRole('textbox', { name: 'Commands as JSON' })
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('[{ "name": "half')
  const lost = page.getByRole('alert').filter({ hasText: 'does not answer' })
  const recovers = () => page.getByText('The emulator was started again').waitFor()
  return {
    page,
    typed: () => editor.innerText(),
    saysLost: () => lost.waitFor({ timeout: 20_000 }),
    recovers,
  }
}

async function openChat(): Promise<Open> {
  const page = await openAt(`${emulatorUrl()}/chat`)
  const field = page.getByRole('combobox', { name: /^Message to/ })
  await field.fill('half a sentence')
  const lost = page.getByRole('alert').filter({ hasText: 'does not answer' })
  const recovers = async () => {
    await lost.waitFor({ state: 'hidden' })
    const [said] = await Promise.all([page.waitForResponse(/chat\/api\/say/), field.press('Enter')])
    expect(said.ok()).toBe(true)
  }
  return {
    page,
    typed: () => field.inputValue(),
    saysLost: () => lost.waitFor({ timeout: 20_000 }),
    recovers,
  }
}

async function openInspector(): Promise<Open> {
  const page = await openAt(demo.inspector)
  const field = page.getByRole('searchbox')
  await field.fill('users')
  const lost = page.getByRole('alert').filter({ hasText: 'does not answer' })
  const recovers = async () => {
    // The demo has another control token after each start.
    await page.getByRole('textbox', { name: 'Control token' }).fill(new URL(demo.inspector).hash.slice(1))
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor({ state: 'detached' })
  }
  return {
    page,
    typed: () => field.inputValue(),
    saysLost: () => lost.waitFor({ timeout: 20_000 }),
    recovers,
  }
}

async function openClosedInspector(): Promise<Open> {
  const page = await openAt(`${emulatorUrl()}/inspector`, other)
  const field = page.getByLabel('Control token')
  await field.fill('half a token')
  const lost = page.getByRole('alert').filter({ hasText: 'does not answer' })
  const recovers = () => lost.waitFor({ state: 'detached' })
  return {
    page,
    typed: () => field.inputValue(),
    saysLost: () => lost.waitFor({ timeout: 20_000 }),
    recovers,
  }
}

async function openIndex(): Promise<Open> {
  const page = await openAt(`${emulatorUrl()}/`, other)
  const lost = page.getByRole('alert').filter({ hasText: 'does not answer' })
  const recovers = async () => {
    await lost.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Inspector' }).first().click()
    await page.getByLabel('Control token').waitFor()
  }
  return {
    page,
    typed: () => Promise.resolve(''),
    saysLost: () => lost.waitFor({ timeout: 20_000 }),
    recovers,
  }
}

/** Page of an error: it is loaded again when the emulator is back, since other settings may accept what was refused. */
async function openMessage(url: string): Promise<Open> {
  const page = await openAt(url, third)
  const lost = page.getByRole('alert').filter({ hasText: 'does not answer' })
  const recovers = async () => {
    await page.waitForFunction(() => document.body.dataset['ticks'] === undefined)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await lost.count()).toBe(0)
    expect(page.url()).toBe(url)
  }
  return {
    page,
    typed: () => page.locator('h1').innerText(),
    saysLost: () => lost.waitFor({ timeout: 20_000 }),
    recovers,
  }
}

async function activityUrl(): Promise<string> {
  const { activity } = (await (await fetch(`${demo.url}preset.json`)).json()) as { activity: string }
  return activity
}

async function openLaunch(): Promise<Open> {
  const page = await openAt(await activityUrl(), other)
  const bruno = page.getByRole('checkbox', { name: 'Bruno' })
  await bruno.check()
  const lost = page.getByRole('alert').filter({ hasText: 'does not answer' })
  const recovers = async () => {
    await lost.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Launch' }).click()
    await page.locator('.state', { hasText: 'connected' }).first().waitFor()
  }
  return {
    page,
    typed: async () => String(await bruno.isChecked()),
    saysLost: () => lost.waitFor({ timeout: 20_000 }),
    recovers,
  }
}

/** Host page with a join secret that was typed: it launches again only when the player says so. */
async function openInvitation(): Promise<Open> {
  const page = await openAt(await activityUrl(), other)
  await page.getByRole('button', { name: 'Launch' }).click()
  await page.locator('.state', { hasText: 'connected' }).waitFor()
  await page.getByText('Invite', { exact: true }).click()
  const field = page.getByLabel('Join secret')
  await field.fill('half a secret')
  const lost = page.getByRole('status').filter({ hasText: 'does not answer' })
  const recovers = async () => {
    await page.getByRole('button', { name: 'Launch again' }).click()
    await page.locator('.state', { hasText: 'connected' }).waitFor()
  }
  return {
    page,
    typed: () => field.inputValue(),
    saysLost: () => lost.waitFor({ timeout: 20_000 }),
    recovers,
  }
}

async function openConsent(): Promise<Open> {
  const page = await openAt(demo.url)
  await page.getByRole('radio', { name: 'in place of this page' }).check()
  await page.click('#sign-in-button')
  const bruno = page.getByRole('radio', { name: 'Bruno' })
  await bruno.check()
  const lost = page.getByRole('alert').filter({ hasText: 'does not answer' })
  const typed = async () => String(await bruno.isChecked())
  return {
    page,
    typed,
    saysLost: () => lost.waitFor({ timeout: 20_000 }),
    recovers: () => page.getByText('Go back to the game').waitFor(),
  }
}

async function openDevice(): Promise<Open> {
  const page = await openAt(`${emulatorUrl()}/activate`)
  const field = page.getByLabel('Code')
  await field.fill('ABCD-EFGH')
  const lost = page.getByRole('alert').filter({ hasText: 'does not answer' })
  const recovers = async () => {
    await lost.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('This code was not accepted').waitFor()
  }
  return {
    page,
    typed: () => field.inputValue(),
    saysLost: () => lost.waitFor({ timeout: 20_000 }),
    recovers,
  }
}

async function openActivity(): Promise<Open> {
  const page = await openAt(await activityUrl())
  await page.getByRole('button', { name: 'Launch' }).click()
  await page.locator('.state', { hasText: 'connected' }).waitFor()
  const lost = page.getByRole('status').filter({ hasText: 'does not answer' })
  const before = page.url()
  const recovers = async () => {
    await page.waitForURL((url) => url.href !== before && url.searchParams.has('instance_id'))
    await page.locator('.state', { hasText: 'connected' }).waitFor()
  }
  return {
    page,
    typed: () => Promise.resolve(''),
    saysLost: () => lost.waitFor({ timeout: 20_000 }),
    recovers,
  }
}

/** Kills the emulator, waits until each page has said so, and starts it again at the same addresses. */
async function restart(): Promise<Map<string, number>> {
  const before = new Map(
    await Promise.all([...open].map(async ([name, { typed }]) => [name, await typed()] as const)),
  )
  const [port, emulatorPort, activityPort] = [demo.url, demo.inspector, await activityUrl()].map(
    (url) => new URL(url).port,
  ) as [string, string, string]
  await Promise.all([...open.values()].map(({ page }) => page.evaluate(countTicks, TICK)))
  demo.process.kill('SIGKILL')
  const said = await Promise.all(
    [...open].map(async ([name, { page, saysLost }]) => {
      await saysLost().catch((error: unknown) => console.error(`${name}: ${String(error)}`))
      return [
        name,
        TICK * (await page.evaluate(() => Number(document.body.dataset['ticks'] ?? Number.NaN))),
      ] as const
    }),
  )
  demo = await startBuiltDemo(
    '--port',
    port,
    '--emulator-port',
    emulatorPort,
    '--activity-port',
    activityPort,
  )
  typedBefore = before
  return new Map(said)
}

/**
 * Counts the ticks of a timer in the page, until the page says that nothing answers. On a busy machine the timer runs as rarely as the
 * page's own work: the count is the time that the page had.
 */
function countTicks(tick: number): void {
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), tick)
  const observer = new MutationObserver(() => {
    const notices = [...document.querySelectorAll('[role=alert], [role=status]')]
    if (!notices.some((one) => /does not answer/.test(one.textContent))) return
    clearInterval(timer)
    observer.disconnect()
    document.body.dataset['ticks'] = String(ticks)
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
}

let typedBefore: Map<string, string>

const DEMO = ['sign-in', 'lobby', 'arguments', 'exchange', 'limits', 'doctor', 'service', 'commands']
const FORMS = [
  'chat',
  'inspector',
  'inspector without token',
  'launch',
  'invitation',
  'consent',
  'device',
  'index',
  'Activity',
]
const MESSAGES = ['not found', 'refused request', 'instance that is over', 'not found at the host']

describe.each([...DEMO, ...FORMS, ...MESSAGES])('the open page: %s', (name) => {
  it('says within 3 seconds that the emulator is gone, keeps what was typed, and goes on by itself', async () => {
    const one = open.get(name)
    expect(noticed.get(name)).toBeLessThan(NOTICED)
    expect(await one?.typed()).toBe(typedBefore.get(name))
    await one?.recovers()
  })
})
