/** An Activity whose session the game's backend holds: a frame of another site than the chat around it, whose cookie is partitioned. */
import type { Browser, Frame, FrameLocator, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { type EngineGame, serveEngineGame } from '../support/engines/serve-engine-game'

let browser: Browser
beforeAll(async () => {
  // As in a browser without cookies of other sites: only partitioned ones are kept.
  browser = await launchChromium(undefined, { args: ['--test-third-party-cookie-phaseout'] })
})
afterAll(() => browser.close())

/** The chat is of another site than the host window, in which the game runs. */
async function launch(page: Page, { emulator }: EngineGame): Promise<{ host: FrameLocator; frame: Frame }> {
  await page.goto(`${emulator.url}/chat`)
  await page.getByRole('button', { name: 'Launch' }).click()
  const host = page.frameLocator('iframe[title="The Activity, as Ada Quinn sees it"]')
  const element = await host.locator('iframe').elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('no frame')
  return { host, frame }
}

const restored = (frame: Frame) =>
  frame.waitForFunction("document.querySelector('#outcome')?.textContent !== ''")

/** A client that knows the host window. */
function connect({ emulator }: EngineGame): string {
  const service = { host: emulator.url, activityOrigins: [new URL(emulator.activity.url ?? '').origin] }
  const options = JSON.stringify({
    applicationId: emulator.application.id,
    service,
    backendSession: '/session',
  })
  return `(async () => {
    window.player = new Foyer.Client(${options})
    await player.activity.connect()
  })()`
}

const WHO = "player.backend.fetch('/whoami').then((response) => response.json()).then(({ id }) => id)"

test.each(['short', 'none'] as const)(
  'signs in through the host window, plays and continues, with tokens: %s',
  async (tokens) => {
    const game = await serveEngineGame({
      hasBackend: true,
      tokens,
      emulator: { activityUrl: 'http://localhost:9/', activityPort: 0 },
    })
    const { emulator } = game
    await emulator.activity.serve(game.url)
    const context = await browser.newContext()
    const { host, frame } = await launch(await context.newPage(), game)
    await restored(frame)
    await frame.evaluate(connect(game))
    const signingIn = frame.evaluate<string>('player.signIn().then(({ userId }) => userId)')
    await host.getByRole('button', { name: 'Approve' }).click()
    const ada = await signingIn
    expect(ada).toBe('175928847299117063')
    expect(
      await frame.evaluate("player.createOrJoinLobby('moon').then(({ members }) => members.length)"),
    ).toBe(1)
    expect(await frame.evaluate(WHO)).toBe(ada)
    const [cookie] = await context.cookies(game.url)
    expect(cookie).toMatchObject({
      httpOnly: true,
      secure: true,
      sameSite: 'None',
      partitionKey: 'http://127.0.0.1',
    })

    await frame.goto(frame.url())
    await restored(frame)
    expect(await frame.evaluate('client.session?.userId')).toBe(ada)
    await context.close()
  },
)
