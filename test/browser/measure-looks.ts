/** Measures one state of a page in both themes, at three widths and with a font twice as large, without loading it again. */
import type { Page } from 'playwright'
import { axeFaults, cutOff, sideways } from './demo-page'

interface Look {
  width: number
  theme: 'light' | 'dark'
  font: '100%' | '200%'
}

const WIDTHS = [320, 768, 1440]
const LOOKS = WIDTHS.flatMap((width): Look[] => [
  { width, theme: 'light', font: '100%' },
  { width, theme: 'dark', font: '100%' },
  { width, theme: 'dark', font: '200%' },
])

/** Accessibility violations, sideways scroll and clipped texts, each with the look in which it was found. */
export async function faultsInEveryLook(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const look of LOOKS) {
    await apply(page, look)
    const found = await axeFaults(page)
    const over = await sideways(page)
    if (over > 0) found.push(`${over} px wider than the window`)
    found.push(...(await cutOff(page)).map((text) => `cut off: ${text}`))
    faults.push(...found.map((fault) => `${look.width} px, ${look.theme}, ${look.font}: ${fault}`))
  }
  await apply(page, { width: 1440, theme: 'light', font: '100%' })
  return faults
}

async function apply(page: Page, { width, theme, font }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.evaluate((size) => (document.documentElement.style.fontSize = size), font)
  // A list of rows measures its font when the window changes.
  await page.setViewportSize({ width: width + 1, height: 900 })
  await page.setViewportSize({ width, height: 900 })
}
