/** Players of examples/four-in-a-row: in a page of a browser, in the frame of an Activity, or in a window of Electron. */
import type { FrameLocator, Page } from 'playwright'
import { expect } from 'vitest'
import type { Game } from './electron/running-game'

/** Cells of the board that hold a disc. */
export const DISCS = '#discs :is(.red, .gold)'

export interface Player {
  /** Waits until the line below the board contains the text. Resolves with the line. */
  says(text: RegExp): Promise<string>
  /** Clicks a column of the board, numbered from 1. */
  click(column: number): Promise<void>
  press(button: string): Promise<void>
  /** Types the word of the lobby, and meets there. */
  meet(word: string): Promise<void>
  /** Number of elements. */
  count(css: string): Promise<number>
  /** Text of the error line. */
  error(): Promise<string>
  /** Text of the line that greets the player. */
  greeting(): Promise<string>
}

export function inBrowser(page: Page | FrameLocator): Player {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  return {
    async says(text) {
      await page.locator('#turn', { hasText: text }).waitFor()
      return (await page.locator('#turn').textContent()) ?? ''
    },
    click: (column) => page.getByRole('button', { name: `Column ${column}` }).click(),
    press,
    async meet(word) {
      await page.getByLabel('Word').fill(word)
      await press('Meet')
    },
    count: (css) => page.locator(css).count(),
    error: async () => (await page.locator('#error').textContent()) ?? '',
    greeting: async () => (await page.locator('#player').textContent()) ?? '',
  }
}

/** Resolves in the page with the first result of the expression that is not empty. */
const eventually = (expression: string) => `new Promise((resolve) => {
  const look = () => {
    const result = ${expression}
    if (result) resolve(result)
    else requestAnimationFrame(look)
  }
  look()
})`
const VISIBLE_BUTTONS = "[...document.querySelectorAll('button')].filter((each) => each.checkVisibility())"

/** `game`: the running main process, whose first window shows the game. */
export function inWindow(game: Game): Player {
  const press = async (name: string) => {
    const button = `${VISIBLE_BUTTONS}.find((each) => (each.ariaLabel ?? each.textContent) === ${JSON.stringify(name)})`
    await game.page(`${eventually(button)}.then((each) => each.click())`)
  }
  return {
    says: (text) =>
      game.page<string>(
        eventually(
          `[document.querySelector('#turn').textContent].find((line) => ${String(text)}.test(line))`,
        ),
      ),
    click: (column) => press(`Column ${column}`),
    press,
    async meet(word) {
      const input = "[document.querySelector('#meet input')].find((each) => each.checkVisibility())"
      await game.page(`${eventually(input)}.then((each) => void (each.value = ${JSON.stringify(word)}))`)
      await press('Meet')
    },
    count: (css) => game.page<number>(`document.querySelectorAll(${JSON.stringify(css)}).length`),
    error: () => game.page<string>("document.querySelector('#error').textContent"),
    greeting: () => game.page<string>("document.querySelector('#player').textContent"),
  }
}

async function drop(player: Player, column: number): Promise<void> {
  await player.says(/Your turn/)
  await player.click(column)
}

export interface Round<P extends Player> {
  winner: P
  loser: P
}

/** Plays until the one who begins has four discs in column 4. `beforeLast` is called before the last disc. */
export async function playToWin<P extends Player>(
  players: readonly [P, P],
  beforeLast?: (winner: P) => Promise<unknown>,
): Promise<Round<P>> {
  for (const each of players) await each.says(/Your turn|is thinking/)
  const [one, other] = players
  const [winner, loser] = (await one.says(/./)) === 'Your turn' ? [one, other] : [other, one]
  for (const turn of [1, 2, 3]) {
    await drop(winner, 4)
    await drop(loser, 4 + turn)
  }
  await beforeLast?.(winner)
  // A click out of turn has no effect.
  await loser.click(1)
  await drop(winner, 4)
  await winner.says(/You win!/)
  await loser.says(/wins\./)
  for (const each of players)
    expect([await each.count(DISCS), await each.count('#discs .won')]).toEqual([7, 4])
  return { winner, loser }
}

/** The loser asks for a rematch and begins it, then leaves: the other one waits. Resolves with the error lines of both. */
export async function playAgainAndLeave({ winner, loser }: Round<Player>): Promise<string[]> {
  await loser.press('Rematch')
  await drop(loser, 1)
  await winner.says(/Your turn/)
  expect([await winner.count(DISCS), await loser.count(DISCS)]).toEqual([1, 1])
  await loser.press('Leave')
  await winner.says(/Waiting/)
  return [await winner.error(), await loser.error()]
}
