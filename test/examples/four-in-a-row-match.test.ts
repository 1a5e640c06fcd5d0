/** A match of two from one link: names, faces and score, a tab that is killed, and every size of window. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Browser, BrowserContextOptions } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { setEmulatorVariables, useEmulator } from '../support/example-emulator'
import { copyExample, serveExample } from '../support/example-project'
import { DISCS, playToWin } from '../support/four-in-a-row'
import { beginBoard, boardOf, type Seat, signInAt } from '../support/four-in-a-row-window'

const SCREENSHOTS = process.env['FOYER_SCREENSHOTS']

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

/** Opens an address in a browser of its own, whose time the test can move, and signs in. */
async function open(url: string, name: string, options: BrowserContextOptions = {}): Promise<Seat> {
  const context = await browser.newContext({
    viewport: { width: 720, height: 780 },
    reducedMotion: 'reduce',
    ...options,
  })
  onTestFinished(() => context.close())
  await context.clock.install()
  return signInAt(context, url, name)
}

async function photograph({ page }: Seat, name: string): Promise<void> {
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` })
}

interface Two {
  readonly emulator: Emulator
  readonly link: string
  readonly players: [Seat, Seat]
}

/** Two players at one board, the second one from the link of the first one, who begins. */
async function meet({
  names = ['Ada Quinn', 'Bruno'] as readonly [string, string],
  options = {},
  emulator = useEmulator(),
} = {}): Promise<Two> {
  const running = await emulator
  const url = await serveExample(copyExample('four-in-a-row'))
  const ada = await open(url, names[0], options)
  const link = await beginBoard(ada)
  const bruno = await open(link, names[1], options)
  await ada.says(/^Your turn/)
  await bruno.says(/is thinking/)
  return { emulator: running, link, players: [ada, bruno] }
}

/** Both seats as they are shown: name and score, and whose turn the light shows. */
const seatsOf = ({ page }: Seat) =>
  page.evaluate(() => [
    ...[...document.querySelectorAll('.player')].map((each) => each.textContent),
    document.querySelector('#table')?.classList[0],
  ])

/** Lets time pass for everybody. */
async function pass(ms: number, emulator: Emulator, seats: readonly Seat[]): Promise<void> {
  emulator.advance(ms)
  for (const { page } of seats) await page.clock.fastForward(ms)
}

test('both see names, faces and score, the light of the turn, the last disc, and the four of the winner', async () => {
  const { players } = await meet()
  const [ada, bruno] = players
  expect(await seatsOf(bruno)).toEqual(['Ada Quinn0', 'Bruno0', 'red'])
  for (const face of await bruno.page.locator('.player i').all())
    expect(await face.evaluate((each) => getComputedStyle(each).backgroundImage)).toContain('/avatars/')
  const round = await playToWin(players)
  expect(await seatsOf(bruno)).toEqual(['Ada Quinn1', 'Bruno0', 'red'])
  expect(await bruno.page.locator('#line').getAttribute('points')).toBe('35,55 35,45 35,35 35,25')
  await photograph(bruno, 'lost')

  await round.loser.press('Rematch')
  await ada.says(/Bruno is thinking/)
  await ada.page.reload()
  await ada.says(/Bruno is thinking/)
  expect(await seatsOf(ada)).toEqual(['Bruno0', 'Ada Quinn1', 'red'])
  // Keys play too.
  await bruno.page.keyboard.press('1')
  await ada.says(/^Your turn/)
  expect(await seatsOf(ada)).toEqual(['Bruno0', 'Ada Quinn1', 'gold'])
  expect(await ada.page.locator('#discs .last').getAttribute('class')).toBe('red last')
})

test('a player whose tab is killed has half a minute to come back, and goes on', async () => {
  const { emulator, link, players } = await meet()
  const [ada, bruno] = players
  await ada.click(3)
  await bruno.says(/^Your turn/)
  const board = await boardOf(ada)
  await bruno.page.context().close()
  await ada.says(/^Bruno left, (30|2\d) s to come back$/)
  await photograph(ada, 'left')
  await pass(6000, emulator, [ada])
  await ada.says(/^Bruno left, 2[0-4] s to come back$/)
  const again = await open(link, 'Bruno')
  await again.says(/^Your turn/)
  await ada.says(/^Bruno is thinking/)
  expect([await boardOf(again), await boardOf(ada)]).toEqual([board, board])
  await again.click(3)
  await ada.says(/^Your turn/)
})

test('the place of a player who stays away is free for the next one', async () => {
  const { emulator, link, players } = await meet()
  const [ada, bruno] = players
  await ada.click(3)
  await bruno.says(/^Your turn/)
  await bruno.page.context().close()
  await ada.says(/^Bruno left/)
  await pass(31_000, emulator, [ada])
  await ada.says(/^Waiting for your friend/)
  expect([await ada.count(DISCS), await ada.page.locator('#link').isVisible()]).toEqual([0, true])
  const zoe = await open(link, 'Zoë Okafor')
  await zoe.says(/^Ada Quinn is thinking/)
  expect(await seatsOf(zoe)).toEqual(['Ada Quinn0', 'Zoë Okafor0', 'red'])
})

test('a reload is no leaving', async () => {
  const { emulator, players } = await meet()
  const said: unknown[] = []
  emulator.subscribe(({ name, data }) => name === 'lobby.message' && said.push(Object(data)['content']))
  for (const { page } of players) await page.reload()
  for (const { page } of players) await page.locator('#board').waitFor()
  await players[0].click(1)
  await players[1].says(/^Your turn/)
  expect(said).toEqual(['move 0 0'])
})

const SIZES = [
  [1440, 900],
  [1280, 720],
  [844, 390],
  [667, 375],
  [768, 1024],
  [390, 844],
  [360, 640],
] as const
/** Names as long as the service allows: the widest letter without a place to break, and right to left. */
const LONG = ['W'.repeat(32), 'عبد الرحمن بن محمد بن خلدون الحضرمي'.slice(0, 32)] as const

/** The first players of the emulator. */
const FIRST = [
  { id: '175928847299117063', username: 'ada' },
  { id: '211842960158326785', username: 'bruno' },
]

/** Parts that lie outside of the window, and texts that are wider than their boxes without being cut. */
const outside = ({ page }: Seat) =>
  page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement
    const parts = [
      ...document.querySelectorAll(
        '#board, .player, #turn, footer, #invite, #player, h1, #new, #meet button',
      ),
    ]
    const faulty = parts
      .filter((each) => each.checkVisibility())
      .filter((each) => {
        const { left, top, right, bottom } = each.getBoundingClientRect()
        return (
          left < 0 ||
          top < 0 ||
          right > innerWidth ||
          bottom > innerHeight ||
          each.scrollWidth > each.clientWidth + 1
        )
      })
      .map((each) => each.id || each.className)
    return scrollWidth > innerWidth || scrollHeight > innerHeight ? [...faulty, 'page'] : faulty
  })

test.each([
  ['usual names', ['Ada Quinn', 'Bruno'] as const],
  ['the longest names', LONG],
])('the whole board is in the window, with %s', async (title, names) => {
  const users = FIRST.map((user, index) => ({ ...user, globalName: names[index] ?? null }))
  const emulator = await createEmulator({ limits: 'off', seed: { users } })
  onTestFinished(() => emulator.close())
  setEmulatorVariables(emulator)
  const { players } = await meet({ names, emulator: Promise.resolve(emulator) })
  const [, watching] = players
  const look = async (state: string) => {
    for (const [width, height] of SIZES) {
      await watching.page.setViewportSize({ width, height })
      expect.soft(await outside(watching), `${state} at ${width} x ${height}`).toEqual([])
      const board = await watching.page.locator('#board').boundingBox()
      const least = Math.min(width * 0.9, height * 0.7)
      expect
        .soft(Math.max(board?.width ?? 0, board?.height ?? 0), `board at ${width} x ${height}`)
        .toBeGreaterThan(least * 0.75)
      await photograph(watching, `${title} ${state} ${width}x${height}`)
    }
  }
  await look('turn')
  await playToWin(players)
  await look('won')
  await players[0].press('Leave')
  await watching.says(/Waiting/)
  await look('waiting')
})

test('discs and board differ with the colours of the system alone', async () => {
  const { players } = await meet({ options: { forcedColors: 'active' } })
  const [ada, bruno] = players
  await ada.click(1)
  await bruno.says(/^Your turn/)
  await bruno.click(2)
  await ada.says(/^Your turn/)
  await ada.click(3)
  await bruno.says(/^Your turn/)
  const looks = await Promise.all(
    [
      '#discs .red:not(.last)',
      '#discs .gold',
      '#discs circle:not(.red, .gold)',
      '#discs .last',
      '#front',
    ].map((selector) =>
      ada.page
        .locator(selector)
        .first()
        .evaluate((each) =>
          (({ fill, stroke, strokeWidth }) => ({ fill, stroke, strokeWidth }))(getComputedStyle(each)),
        ),
    ),
  )
  const [front, ...discs] = looks.toReversed()
  expect(new Set(discs.map((each) => JSON.stringify(each))).size).toBe(4)
  expect(front?.fill).not.toBe(front?.stroke)
  await photograph(ada, 'forced colours')
})
