/** The finished game for two, in browsers, in an Activity and in Electron: two players sign in, meet, play, play again and leave. */
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Emulator } from 'foyer-emulator'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { approve, popupAfter } from '../support/consent-page'
import { missingDesktop } from '../support/electron/desktop'
import type { Sandbox } from '../support/electron/sandbox'
import { useSandbox } from '../support/electron/use-sandbox'
import { setEmulatorVariables, useEmulator } from '../support/example-emulator'
import { copyExample, serveExample } from '../support/example-project'
import {
  DISCS,
  inBrowser,
  inWindow,
  type Player,
  playAgainAndLeave,
  playToWin,
} from '../support/four-in-a-row'
import { beginBoard, boardOf, type Seat, signInAt } from '../support/four-in-a-row-window'
import { link, run } from '../support/packed-package'
import { startPublicGame } from '../support/public-game'
import { skipIfMissing } from '../support/skip-if-missing'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SCREENSHOTS = process.env['FOYER_SCREENSHOTS']

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
const createSandbox = useSandbox()

async function openPage(url: string, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ viewport, deviceScaleFactor: SCREENSHOTS ? 2 : 1 })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** Opens the game in a browser of its own, signs in, and meets at the word. */
async function enter(url: string, name: string): Promise<Seat> {
  const page = await openPage(url, { width: 720, height: 780 })
  const photograph = async (screen: string) =>
    SCREENSHOTS && name === 'Ada Quinn' && page.screenshot({ path: `${SCREENSHOTS}/${screen}.png` })
  await page.getByRole('button', { name: 'Sign in and play' }).waitFor()
  await photograph('start')
  await approve(await popupAfter(page, '#sign-in'), name)
  await page.getByLabel('Word').waitFor()
  await photograph('meet')
  await inBrowser(page).meet('Moon')
  await page.locator('#table').waitFor()
  return { ...inBrowser(page), page }
}

/** Opens an address in a browser of its own, and signs in. */
async function open(url: string, name: string): Promise<Seat> {
  const context = await browser.newContext({
    viewport: { width: 720, height: 780 },
    deviceScaleFactor: SCREENSHOTS ? 2 : 1,
  })
  onTestFinished(() => context.close())
  return signInAt(context, url, name)
}

/** Begins a board, and copies its link. */
async function copyLink(player: Seat): Promise<string> {
  const { page } = player
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const shown = await beginBoard(player)
  await player.press('Copy link')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const invitation = await page.evaluate(() => navigator.clipboard.readText())
  expect(invitation).toBe(shown)
  return invitation
}

/** Contents of the messages from now on. */
function saidIn({ subscribe }: Pick<Emulator, 'subscribe'>): string[] {
  const said: string[] = []
  onTestFinished(
    subscribe(
      ({ name, data }) => void (name === 'lobby.message' && said.push(String(Object(data)['content']))),
    ),
  )
  return said
}

/** Opens the host page of an Activity in a browser of its own, and signs in. */
async function launch(url: string, name: string): Promise<Player> {
  const page = await openPage(url, { width: 900, height: 900 })
  const game = page.frameLocator(`iframe[title="The game, as ${name} sees it"]`)
  await game.getByRole('button', { name: 'Sign in and play' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await game.locator('#table').waitFor()
  return inBrowser(game)
}

const isAtRest = () =>
  document
    .getAnimations()
    .every((each) => each.playState !== 'running' || each.effect?.getTiming().iterations === Infinity)

test('two players are greeted by name, meet, play a round, begin another, and leave', async () => {
  const url = await serveExample(copyExample('four-in-a-row'))
  const ada = await enter(url, 'Ada Quinn')
  await ada.says(/Waiting/)
  const bruno = await enter(url, 'Bruno')
  expect([await ada.greeting(), await bruno.greeting()]).toEqual(['Welcome, Ada Quinn!', 'Welcome, Bruno!'])
  const round = await playToWin(
    [ada, bruno],
    async ({ page }) => SCREENSHOTS && page.screenshot({ path: `${SCREENSHOTS}/turn.png` }),
  )
  await round.winner.page.waitForFunction(isAtRest)
  if (SCREENSHOTS) await round.winner.page.screenshot({ path: `${SCREENSHOTS}/won.png` })
  expect(await playAgainAndLeave(round)).toEqual(['', ''])
  await round.loser.page.getByRole('button', { name: 'Meet' }).waitFor()
})

test('a friend opens the link, signs in, and plays a whole match', async () => {
  const url = await serveExample(copyExample('four-in-a-row'))
  const ada = await open(url, 'Ada Quinn')
  const invitation = await copyLink(ada)
  await ada.says(/Waiting/)
  if (SCREENSHOTS) await ada.page.screenshot({ path: `${SCREENSHOTS}/link.png` })
  const bruno = await open(invitation, 'Bruno')
  const round = await playToWin([ada, bruno])
  expect(await ada.page.getByRole('button', { name: 'Copied' }).isVisible()).toBe(false)
  expect([ada.page.url(), bruno.page.url()]).toEqual([url, url])
  expect(await playAgainAndLeave(round)).toEqual(['', ''])

  // A signed-in player opens another link in the page that runs.
  const again = await copyLink(round.loser)
  await round.winner.press('Leave')
  await round.winner.page.goto(again)
  expect(await playAgainAndLeave(await playToWin([ada, bruno]))).toEqual(['', ''])
})

test('a reload keeps the board, and a third person who opens the link watches', async () => {
  const url = await serveExample(copyExample('four-in-a-row'))
  const ada = await open(url, 'Ada Quinn')
  const invitation = await copyLink(ada)
  const bruno = await open(invitation, 'Bruno')
  await ada.says(/Your turn/)
  await ada.click(4)
  await bruno.says(/Your turn/)
  const board = await boardOf(ada)
  for (const { page } of [ada, bruno]) await page.reload()
  await bruno.says(/Your turn/)
  await ada.says(/Bruno is thinking/)
  expect([await boardOf(ada), await boardOf(bruno)]).toEqual([board, board])

  const zoe = await open(invitation, 'Zoë Okafor')
  await zoe.says(/You watch. Bruno is thinking/)
  expect(await boardOf(zoe)).toEqual(board)
  // A click of a person who watches has no effect.
  await zoe.click(1)
  await bruno.click(5)
  await ada.says(/Your turn/)
  await zoe.says(/Ada Quinn is thinking/)
  expect([await boardOf(ada), await zoe.count(DISCS), await zoe.error()]).toEqual([await boardOf(zoe), 2, ''])

  // Whoever watches takes the place of a player who leaves.
  await bruno.press('Leave')
  await zoe.says(/^Ada Quinn is thinking/)
  await ada.click(7)
  await zoe.says(/Your turn/)
  expect(await boardOf(zoe)).toMatch(/^-{6}r-{35}$/)
})

test('launched as an Activity, the players of a channel meet without a word', async () => {
  const emulator = await useEmulator()
  const said = saidIn(emulator)
  await emulator.activity.serve(await serveExample(copyExample('four-in-a-row')))
  const ada = await launch(emulator.activity.launch({ as: 'ada' }).url, 'Ada Quinn')
  await ada.says(/Waiting/)
  const bruno = await launch(emulator.activity.launch({ as: 'bruno' }).url, 'Bruno')
  expect([await ada.greeting(), await bruno.greeting()]).toEqual(['Welcome, Ada Quinn!', 'Welcome, Bruno!'])
  expect(await playAgainAndLeave(await playToWin([ada, bruno]))).toEqual(['', ''])
  expect(said.filter((text) => text.startsWith('left'))).toEqual([])
})

/** Builds the game and its main process, for the emulator of the sandbox. Resolves with the folder. */
function buildIn({ packed: { project }, emulator: { url, application } }: Sandbox): string {
  // The tests of this file share the folder.
  for (const name of ['vite', 'foyer-emulator'])
    if (!existsSync(join(project, 'node_modules', name))) link(name, project)
  cpSync(join(ROOT, 'examples/four-in-a-row'), project, { recursive: true })
  run(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build'], project)
  writeFileSync(
    join(project, 'main-of-demo.mjs'),
    `Object.assign(process.env, ${JSON.stringify({ FOYER_HOST: url, FOYER_APPLICATION_ID: application.id })})\nawait import('./electron.js')\n`,
  )
  return project
}

test('a player in a window of Electron meets one in a browser', skipIfMissing(missingDesktop()), async () => {
  const sandbox = await createSandbox({ module: 'demo-game.mjs' })
  const project = buildIn(sandbox)
  const said = saidIn(sandbox.emulator)
  const game = await sandbox.start()
  const ada = inWindow(game)
  await ada.press('Sign in and play')
  await ada.meet('moon')
  await ada.says(/Waiting/)
  expect(await ada.greeting()).toBe('Welcome, Ada Quinn!')
  expect(await sandbox.browser.visit()).toMatchObject({
    redirect: expect.stringContaining('http://127.0.0.1:'),
  })

  setEmulatorVariables(sandbox.emulator)
  const bruno: Player = await enter(await serveExample(project), 'Bruno')
  expect(await playAgainAndLeave(await playToWin([ada, bruno]))).toEqual(['', ''])
  expect(said.filter((text) => text.startsWith('left'))).toEqual([])
  // The built page holds no file of the machine beside its own.
  expect(await game.page("fetch('/..%2felectron.js').then(({ status }) => status)")).toBe(404)
})

const hasButton = (name: string) =>
  `[...document.querySelectorAll('button')].some((each) => each.checkVisibility() && each.textContent === '${name}')`

test(
  'a player in Electron shows the board to friends when told to, and joins that of a friend',
  skipIfMissing(missingDesktop()),
  async () => {
    const sandbox = await createSandbox({ module: 'demo-game.mjs' })
    const project = buildIn(sandbox)
    const { emulator } = sandbox
    const program = await sandbox.startProgram('ada')
    const game = await sandbox.start()
    const ada = inWindow(game)
    await ada.press('Sign in and play')
    await ada.meet('moon')
    await ada.says(/Waiting/)
    expect(emulator.activity.presence('ada')).toBeUndefined()
    await ada.press('Show to friends')
    await expect
      .poll(() => emulator.activity.presence('ada'))
      .toMatchObject({
        details: 'Plays four in a row',
        party: { size: [1, 2] },
        secrets: { join: 'four-in-a-row-moon' },
      })
    await ada.press('Hide from friends')
    await expect.poll(() => emulator.activity.presence('ada')).toBeUndefined()
    await ada.press('Show to friends')

    // The friend is at another board, whose game is shown by any client of the program.
    setEmulatorVariables(emulator)
    const bruno = await open(await serveExample(project), 'Bruno')
    await bruno.meet('sun')
    await bruno.says(/Waiting/)
    const brunos = await emulator.localProgram({ as: 'bruno', brand: 'discord' })
    const shown = await startPublicGame(brunos.folder, emulator.application.id)
    onTestFinished(() => shown.destroy())
    await shown.user?.setActivity({ partyId: 'p1', joinSecret: 'four-in-a-row-sun' })
    program.accept('bruno')
    await bruno.says(/Your turn/)
    await ada.says(/Bruno is thinking/)
    await bruno.click(4)
    await ada.says(/Your turn/)
    expect([await ada.count(DISCS), await ada.error(), await bruno.error()]).toEqual([1, '', ''])
    // The board that she has left is shown to nobody.
    expect(emulator.activity.presence('ada')).toBeUndefined()
    expect(await game.page(hasButton('Show to friends'))).toBe(false)
    expect(await game.page(hasButton('Hide from friends'))).toBe(false)
  },
)
