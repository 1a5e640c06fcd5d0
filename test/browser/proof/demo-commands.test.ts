/** The commands studio of the demo: every problem where it is, what the chat would show, and the way into the emulator's chat. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDemo } from '../../support/use-demo'
import { axeFaults, sideways } from '../demo-page'

const opened = useDemo()
let page: Page

beforeEach(async () => {
  page = opened.page
  await opened.load('#commands')
  await editor().waitFor()
})

const editor = () => page.getByRole('textbox', { name: 'Commands as JSON' })
const problems = () => page.locator('.studio-problems li')
const preview = () => page.locator('.studio-preview li')

async function write(commands: unknown): Promise<void> {
  await editor().click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(typeof commands === 'string' ? commands : JSON.stringify(commands, null, 2))
}

const quest = {
  name: 'quest',
  description: 'Starts a quest',
  options: [{ type: 3, name: 'place', description: 'Where', required: true }],
}

describe('the commands studio', () => {
  it('shows each rule that a command breaks, marks it in the text and leads to it', async () => {
    await write([{ ...quest, options: [{ type: 3, name: 'Place', description: '' }] }])
    await problems().nth(1).waitFor()
    const found = await problems().allTextContents()
    expect(found.join('\n')).toMatch(/Error\[0\]\.options\[0\]\.name/)
    expect(found.join('\n')).toMatch(/Error\[0\]\.options\[0\]\.description/)
    await page.locator('.cm-lintRange-error').first().waitFor()
    expect(await page.locator('.cm-lintRange-error').allTextContents()).toEqual(['"Place"', '""'])
    expect(await page.getByRole('button', { name: 'Register' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: /options\[0\]\.description/ }).click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.insertText('Where')
    await problems().nth(1).waitFor({ state: 'detached' })
    expect(await problems().count()).toBe(1)
  })

  it('says where the text is no JSON, and keeps the last preview', async () => {
    await write('[{')
    await problems().first().waitFor()
    expect(await problems().textContent()).toContain('This is no JSON')
    expect(await preview().allTextContents()).toEqual([
      expect.stringContaining('/duel'),
      expect.stringContaining('Challenge'),
      expect.stringContaining('Report'),
    ])
  })

  it('measures each command and shows it in the language of a player', async () => {
    await write([{ ...quest, name_localizations: { de: 'aufgabe' } }])
    await preview().filter({ hasText: '/quest' }).waitFor()
    expect(await page.locator('.studio-sizes').textContent()).toMatch(/quest\d+ of 8,000 characters/)
    await page.getByLabel('Language of the player').selectOption('de')
    expect(await preview().textContent()).toContain('/aufgabe')
  })

  it('plans, registers, and a player uses the command in the chat of the emulator', async () => {
    await write([quest])
    await preview().filter({ hasText: '/quest' }).waitFor()
    await page.getByRole('button', { name: 'Compare with the emulator' }).click()
    await page.getByText('Nothing was changed.').waitFor()
    expect(await page.getByLabel('Plan').textContent()).toContain('+ create /quest')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText(/Registered, with \d requests/).waitFor()
    const [chat] = await Promise.all([
      opened.context.waitForEvent('page'),
      page.getByRole('link', { name: /chat/ }).click(),
    ])
    const message = chat.getByRole('combobox', { name: /^Message to/ })
    await message.fill('/quest')
    await chat.getByRole('option', { name: /quest/ }).click()
    await chat.getByLabel('place').fill('the harbour')
    await chat.keyboard.press('Enter')
    const messages = chat.getByRole('list', { name: 'Messages' })
    await messages.getByText('The demo received quest.').waitFor()
    await messages.getByText('place: the harbour').waitFor()
  })

  it('shows for each member of a guild who may use a registered command, with the reason', async () => {
    await write([{ ...quest, default_member_permissions: '0' }])
    await preview().filter({ hasText: '/quest' }).waitFor()
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText(/Registered, with \d requests/).waitFor()
    await page.getByRole('button', { name: 'Show who may use them' }).click()
    await page.getByText('Press an answer to see its reason.').waitFor()
    const refused = page.getByRole('button', { name: /^bruno \(.*\) may not use quest: \w+/ })
    await refused.press('Enter')
    await page
      .getByRole('status')
      .filter({ hasText: /bruno .* may not use quest: default_member_permissions/ })
      .waitFor()
    await page.getByRole('button', { name: /^ada \(.*\) may use quest\.$/ }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await sideways(page)).toBe(0)
    // No column says whose answer it is.
    const named = await refused.evaluate(
      ({ parentElement }) => parentElement && getComputedStyle(parentElement, '::before').content,
    )
    expect(named).toContain('bruno')
    const place = page.getByRole('region', { name: 'Permissions in a guild' })
    await place.getByRole('combobox', { name: 'Guild' }).selectOption({ label: 'Playtesters' })
    await expect
      .poll(() => place.getByRole('combobox', { name: 'Channel' }).locator('option').allTextContents())
      .toEqual(['general'])
  })

  it('keeps the text over a reload, and lets the keyboard leave the editor', async () => {
    await write([quest])
    await preview().filter({ hasText: '/quest' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await editor().evaluate((element) => element.matches(':focus'))).toBe(false)
    await page.reload()
    await editor().waitFor()
    expect(await editor().textContent()).toContain('"quest"')
  })

  it.each([320, 768, 1440])(
    'has no accessibility violation and no sideways scroll at %i pixels',
    async (width) => {
      await page.setViewportSize({ width, height: 900 })
      await write([{ name: 'Quest' }])
      await problems().first().waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        expect(await axeFaults(page)).toEqual([])
      }
      expect(await sideways(page)).toBeLessThanOrEqual(0)
    },
  )
})
