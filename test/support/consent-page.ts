/** Actions of a player on the emulator's consent page. */
import type { Page } from 'playwright'

/** Selects a player and approves. */
export async function approve(page: Page, name = 'Ada Quinn'): Promise<void> {
  await page.getByRole('radio', { name }).check()
  await page.getByRole('button', { name: 'Approve' }).click()
}

export async function deny(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Deny' }).click()
}

/** Clicks, and returns the popup that opens. */
export async function popupAfter(page: Page, button: string): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click(button)])
  return popup
}
