/** An Activity whose session the game's backend holds: a frame in the emulator's host window, whose cookie is partitioned. */
import type { Browser, Frame, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { type EngineGame, serveEngineGame } from '../support/engines/serve-engine-game'

let browser: Browser
beforeAll(async () => {
  // As in a browser without cookies of other sites: only partitioned ones are kept.
  browser = await launchChromium(undefined, { args: ['--test-third-party-cookie-phaseout'] })
})
afterAll(() => browser.close())

async function gameIn(page: Page): Promise<Frame> {
  const element = await page.locator('iframe').elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('no frame')
  await frame.waitForFunction("document.querySelector('#outcome')?.textContent !== ''")
  return frame
}

/** A client that knows the host window. */
function connect({ emulator }: EngineGame): string {
  const service = { host: emulator.url, activityOrigins: [new URL(emulator.activity.url ?? '').origin] }
  const options = JSON.stringify({ applicationId: emulator.application.id, service, backendSession: '/session' })
  return `(async () => {
    window.player = new Foyer.Client(${options})
    await player.activity.connect()
  })()`
}

const WHO = "player.backend.fetch('/whoami').then((response) => response.json()).then(({ id }) => id)"

test.each(['short', 'none'] as const)('signs in through the host window, plays and continues, with tokens: %s', async (tokens) => {
  const game = await serveEngineGame({ hasBackend: true, tokens })
  const { emulator } = game
  await emulator.activity.serve(game.url)
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(emulator.activity.launch({ as: 'ada' }).url)
  const frame = await gameIn(page)
  await frame.evaluate(connect(game))
  const signingIn = frame.evaluate<string>('player.signIn().then(({ userId }) => userId)')
  await page.getByRole('button', { name: 'Approve' }).click()
  const ada = await signingIn
  expect(ada).toBe('175928847299117063')
  expect(await frame.evaluate("player.createOrJoinLobby('moon').then(({ members }) => members.length)")).toBe(1)
  expect(await frame.evaluate(WHO)).toBe(ada)
  const [cookie] = await context.cookies(game.url)
  expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'None', partitionKey: 'http://localhost' })

  await page.reload()
  const again = await gameIn(page)
  expect(await again.evaluate('client.session?.userId')).toBe(ada)
  await context.close()
})
