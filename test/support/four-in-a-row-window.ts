/** A window of a browser in which a person plays examples/four-in-a-row. */
import type { BrowserContext, Page } from 'playwright'
import { approve, popupAfter } from './consent-page'
import { inBrowser, type Player } from './four-in-a-row'

export interface Seat extends Player {
  readonly page: Page
}

/** Opens an address, and signs in. */
export async function signInAt(context: BrowserContext, url: string, name: string): Promise<Seat> {
  const page = await context.newPage()
  await page.goto(url)
  await approve(await popupAfter(page, '#sign-in'), name)
  return { ...inBrowser(page), page }
}

/** Begins a board. Resolves with its link. */
export async function beginBoard(player: Seat): Promise<string> {
  await player.press('New board')
  const shown = player.page.getByLabel('Link to this board', { exact: true }).filter({ hasText: '#join=' })
  await shown.waitFor()
  return (await shown.textContent()) ?? ''
}

/** Colours of all cells, row by row, the lowest row first. */
export const boardOf = ({ page }: Seat): Promise<string> =>
  page
    .locator('#discs circle')
    .evaluateAll((all) => all.map((each) => each.classList[0]?.charAt(0) ?? '-').join(''))
