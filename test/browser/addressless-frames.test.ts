/** Frames whose document has no address of its own (`srcdoc`, `blob:`), in real Chromium: they sign in, or the remedy works. */
import type { Frame, Page } from 'playwright'
import { expect, it } from 'vitest'
import { type BrowserGame, useBrowserGame } from '../support/browser-game'
import { approve } from '../support/consent-page'

const chromium = useBrowserGame()

const KINDS = ['srcdoc', 'blob'] as const
type Kind = (typeof KINDS)[number]

/** A game with the client's options and the surface of its button, as code. */
interface FramedGame {
  options?: string
  surface?: string
}

const documentOf = (
  { emulator, game }: BrowserGame,
  { options = '', surface = 'undefined' }: FramedGame,
): string => `<!doctype html>
<title>Game</title><button id="start">Sign in</button><output id="outcome"></output><script src="${game.url}/foyer.js"></script><script>
  const show = (text) => (document.querySelector('#outcome').textContent = text)
  const client = new Foyer.Client({ applicationId: '${emulator.application.id}', service: { host: '${emulator.url}' }, ${options} })
  document.querySelector('#start').onclick = () =>
    client.signIn({ surface: ${surface} }).then(({ userId }) => show(userId), ({ code, message }) => show(code + ': ' + message))
</script>`

/** Adds the frame to the game's page, and clicks its button. */
async function startIn(kind: Kind, opened: BrowserGame, framed: FramedGame = {}): Promise<Frame> {
  const { page } = opened
  await page.evaluate(
    ([attribute, text]) => {
      const frame = document.createElement('iframe')
      if (attribute === 'srcdoc') frame.srcdoc = text
      else frame.src = URL.createObjectURL(new Blob([text], { type: 'text/html' }))
      document.body.append(frame)
    },
    [kind, documentOf(opened, framed)] as const,
  )
  await expect.poll(() => page.frames().length).toBe(2)
  const frame = page.frames()[1] as Frame
  await frame.locator('#start').waitFor()
  // The button does nothing before the script behind it has run.
  await frame.waitForLoadState()
  await frame.locator('#start').click()
  return frame
}

const outcomeOf = (frame: Frame) => frame.locator('#outcome').textContent()

async function expectPlayer(page: Page, frame: Promise<Frame>): Promise<void> {
  const [popup, started] = await Promise.all([page.waitForEvent('popup'), frame])
  await approve(popup)
  await expect.poll(() => outcomeOf(started)).toBe('175928847299117063')
}

it('a srcdoc frame signs in with the callback page beside the page around it', async () => {
  const opened = await chromium.open()
  await expectPlayer(opened.page, startIn('srcdoc', opened))
})

it('a blob: frame is told to give an absolute redirectUri, and no window opens', async () => {
  const opened = await chromium.open()
  const frame = await startIn('blob', opened)
  await expect
    .poll(() => outcomeOf(frame))
    .toMatch(/^invalid_argument: .*absolute redirectUri, beginning with https:/)
  expect(chromium.context.pages()).toHaveLength(1)
})

it.each(KINDS)('a %s frame signs in with an absolute redirectUri', async (kind) => {
  const opened = await chromium.open()
  await expectPlayer(
    opened.page,
    startIn(kind, opened, { options: `redirectUri: '${opened.game.url}/callback.html'` }),
  )
})

it.each(KINDS)(
  'a %s frame that would leave its page is told to give an absolute redirectUri, and stays',
  async (kind) => {
    const opened = await chromium.open()
    const frame = await startIn(kind, opened, { surface: 'Foyer.redirectSurface()' })
    await expect
      .poll(() => outcomeOf(frame))
      .toMatch(/^invalid_argument: .*absolute redirectUri, beginning with https:/)
    expect(frame.url()).toMatch(/^(about:srcdoc|blob:)/)
  },
)
