/** The emulator's consent page as a player uses it. */
import type { Page } from 'playwright'

/** Picks a player and approves. */
export async function approve(page: Page, name = 'Ada Quinn'): Promise<void> {
  await page.getByRole('radio', { name }).check()
  await page.getByRole('button', { name: 'Approve' }).click()
}

export async function deny(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Deny' }).click()
}

/** Clicks, and gives the popup that opens. */
export async function popupAfter(page: Page, button: string): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click(button)])
  return popup
}
