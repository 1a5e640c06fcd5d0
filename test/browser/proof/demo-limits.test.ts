/** The demo's limits screen: a burst with the SDK and one without it, as the emulator counts them. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDemo } from '../../support/use-demo'

// Counts that one test used up do not affect another.
const opened = useDemo({ fresh: 'demo' })
let page: Page

beforeEach(async () => {
  page = opened.page
  await opened.load('#limits')
  await gauge('global').waitFor()
})

const gauge = (name: string) => page.locator(`[data-bucket="${name}"]`)
const outcome = () => page.getByRole('form', { name: 'Burst' }).getByRole('status')
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

async function fact(bucket: string, title: string): Promise<number> {
  const text = await gauge(bucket).locator('div', { hasText: title }).locator('dd').last().textContent()
  return Number(text)
}

describe('the limits screen', () => {
  it('has a gauge for every limit of the service, before anything was sent', async () => {
    const uses = await page.locator('.gauge-use').allTextContents()
    expect(uses).toEqual([
      expect.stringMatching(/^\d+ of 50 in 1 s$/),
      '0 of 500 in 10 s',
      '0 of 500 in 10 s',
      '0 of 500 in 10 s',
      '0 of 5,000 in 10 s',
      '0 of 5,000 in 10 s',
      '0 of 10 in 1 min',
      '0 of 3,000 in 2 h',
    ])
  })

  it('shows that 600 requests at once wait with Foyer, and that none of them is refused', async () => {
    await press('Burst with Foyer')
    await expect.poll(() => fact('global', 'Waiting')).toBeGreaterThan(100)
    await outcome().getByText('600 succeeded, 0 were refused with 429').waitFor()
    expect(await fact('global', '429')).toBe(0)
  })

  it('shows what the same burst costs without Foyer, and how near a block of the address is', async () => {
    await page.getByLabel('Each of them').selectOption('add a member to a lobby')
    await press('Burst without Foyer')
    await outcome().getByText('were refused with 429').waitFor()
    const refused = Number(/(\d+) were refused/.exec((await outcome().textContent()) ?? '')?.[1])
    expect(refused).toBeGreaterThan(0)
    await expect.poll(() => fact('global', '429')).toBe(refused)
    await page.getByText(new RegExp(`^${refused} of 10,000 refused requests in 10 minutes`)).waitFor()
    await press('Reset the counts')
    await page.getByText(/^0 of 10,000 refused requests/).waitFor()
    await expect.poll(() => fact('global', '429')).toBe(0)
  })

  it('fills the limit of one kind of call, once the limit of all requests is raised', async () => {
    await page.getByLabel('All requests together').selectOption('1,200 in a second, raised on request')
    await gauge('global').getByText('of 1,200 in 1 s').waitFor()
    await page.getByLabel('Requests', { exact: true }).fill('550')
    await press('Burst without Foyer')
    await outcome().getByText('500 succeeded, 50 were refused with 429').waitFor()
    await gauge('get_lobby').getByText('500 of 500 in 10 s').waitFor()
    await expect.poll(() => fact('get_lobby', '429')).toBe(50)
  })

  it('hides the headers of rate limits from pages, and sends none, as other services do', async () => {
    const { origin } = new URL(opened.demo.inspector)
    const { hash } = new URL(opened.demo.inspector)
    const modes = async () => {
      const response = await fetch(`${origin}/_emulator/limits`, {
        headers: { authorization: `Bearer ${hash.slice(1)}` },
      })
      const { limits } = (await response.json()) as { limits: Record<string, { headers: string } | null> }
      return [...new Set(Object.values(limits).map((limit) => limit?.headers))].filter(
        (mode) => mode !== undefined,
      )
    }
    expect(await modes()).toEqual(['visible'])
    await page.getByLabel('Rate limit headers').selectOption('not readable (CORS)')
    await expect.poll(modes).toEqual(['hidden'])
    await page.getByLabel('Rate limit headers').selectOption('not sent')
    await expect.poll(modes).toEqual(['absent'])
    await page.reload()
    await expect.poll(() => page.getByLabel('Rate limit headers').inputValue()).toBe('absent')
  })
})
