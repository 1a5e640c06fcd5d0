/** Follows the remedies of errors that only a page gets, in real Chromium: the sign-in fails, and works after doing what the remedy says. */
import { createServer } from 'node:http'
import type { Frame, Page } from 'playwright'
import { expect, it } from 'vitest'
import { type BrowserGame, useBrowserGame } from '../support/browser-game'
import { approve } from '../support/consent-page'
import { listen } from '../support/loopback'

const chromium = useBrowserGame()
const ADA = '175928847299117063'

/** One attempt of a player: in the game's page, with code of the client's options, or in a sandbox. */
interface Attempt {
  options?: string
  surface?: string
  /** Value of the frame's attribute. Default: no frame. */
  sandbox?: string
  /** Runs before the page's own scripts. */
  before?: string
}

const codeOf = ({ emulator }: BrowserGame, { options = '', surface = 'undefined' }: Attempt): string => `{
  document.body.insertAdjacentHTML('beforeend', '<button id="start" type="button">Sign in</button><p id="result"></p>')
  const show = (text) => (document.querySelector('#result').textContent = text)
  const client = new Foyer.Client({ applicationId: '${emulator.application.id}', service: { host: '${emulator.url}' }, ${options} })
  document.querySelector('#start').addEventListener('click', () =>
    client.signIn({ surface: ${surface} }).then(({ userId }) => show(userId), ({ message }) => show(message)))
}`

/** Opens the game, or a portal with the game in a frame, and presses the button. */
async function begin(attempt: Attempt): Promise<{ page: Page; frame: Frame }> {
  await chromium.context.addInitScript(attempt.before ?? '')
  const opened = await chromium.open()
  const { page } = opened
  let frame = page.mainFrame()
  if (attempt.sandbox !== undefined) {
    const body = `<!doctype html><title>Portal</title><iframe sandbox="${attempt.sandbox}" src="${opened.game.url}"></iframe>`
    const portal = await listen(
      createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(body)),
    )
    chromium.cleanups.push(portal.close)
    await page.goto(`http://127.0.0.1:${portal.port}/`)
    frame = page.frames()[1] as Frame
    await frame.locator('#outcome', { hasText: /./ }).waitFor()
  }
  await frame.evaluate(codeOf(opened, attempt))
  return { page, frame }
}

const resultOf = (frame: Frame) => frame.locator('#result').textContent()

const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-forms'
const NO_STORAGE = `for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError') } })`

it.each<[remedy: string, wrong: Attempt, right: Attempt]>([
  [
    'Use a callback page on the origin of the game',
    { options: `redirectUri: 'https://elsewhere.test/callback.html'` },
    { options: `redirectUri: '/callback.html'` },
  ],
  ['a sandbox needs allow-same-origin', { sandbox: SANDBOX }, { sandbox: `${SANDBOX} allow-same-origin` }],
  [
    'a sandbox needs allow-popups',
    { sandbox: 'allow-scripts allow-same-origin' },
    { sandbox: `${SANDBOX} allow-same-origin` },
  ],
  [
    'A redirect requires local or session storage: allow it for this page, or use a popup',
    { before: NO_STORAGE, surface: 'Foyer.redirectSurface()' },
    { before: NO_STORAGE },
  ],
])('%s', async (remedy, wrong, right) => {
  const { frame } = await begin(wrong)
  await frame.click('#start')
  await expect.poll(() => resultOf(frame)).toContain(remedy)
  expect(chromium.context.pages()).toHaveLength(1)
  const second = await begin(right)
  const [popup] = await Promise.all([second.page.waitForEvent('popup'), second.frame.click('#start')])
  await approve(popup)
  await expect.poll(() => resultOf(second.frame)).toBe(ADA)
})
