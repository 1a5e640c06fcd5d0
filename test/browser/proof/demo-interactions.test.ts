/** The demo's example commands in the emulator's chat: suggestions while typing, menus, the entry point, and each signed request with its deadline. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDemo } from '../../support/use-demo'

const opened = useDemo({ fresh: 'emulator' })
let chat: Page

beforeEach(async () => {
  const { page } = opened
  await opened.load('#commands')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText(/Registered, with \d requests/).waitFor()
  const [opening] = await Promise.all([
    opened.context.waitForEvent('page'),
    page.getByRole('link', { name: /chat/ }).click(),
  ])
  chat = opening
  await writing().waitFor()
})

const writing = () => chat.getByRole('combobox', { name: /^Message to/ })
const messages = () => chat.getByRole('list', { name: 'Messages' })
const request = (subject: string) =>
  chat.getByRole('complementary', { name: 'Requests' }).getByRole('listitem').filter({ hasText: subject })

describe('the example commands of the demo', () => {
  it('suggest while a player types, by signed requests whose response and time stand beside the chat', async () => {
    await writing().fill('/duel')
    await chat.keyboard.press('Enter')
    await chat.getByRole('button', { name: '+ arena' }).click()
    await chat.getByRole('combobox', { name: 'arena' }).fill('har')
    await chat.getByText('2 suggestions').waitFor()
    await chat.getByRole('option', { name: 'Harvest field' }).click()
    await chat.getByLabel('opponent').selectOption({ label: 'Bruno' })
    await chat.getByRole('button', { name: 'Send' }).click()
    await messages().getByText('arena: Harvest field').first().waitFor()
    await request('command')
      .getByText(/answered after \d/)
      .waitFor()
    await request('autocomplete').first().locator('summary').click()
    for (const text of ['X-Signature-Ed25519', '"focused": true', 'Harvest field'])
      expect(await request('autocomplete').first().getByText(text).count()).toBeGreaterThan(0)
  })

  it('are in the menus of players and messages, and the entry point launches the Activity', async () => {
    await writing().fill('Hello')
    await chat.keyboard.press('Enter')
    await chat.getByRole('button', { name: 'Apps for this message of Ada Quinn' }).click()
    await chat.getByRole('menuitem', { name: 'Report' }).click()
    await messages().getByText('The demo received Report.').waitFor()
    await chat.getByRole('button', { name: 'Apps for Bruno' }).click()
    await chat.getByRole('menuitem', { name: 'Challenge' }).click()
    await messages().getByText('target: 211842960158326785').waitFor()
    await chat.getByRole('button', { name: 'Launch' }).click()
    const host = chat.frameLocator('iframe[title^="The Activity, as Ada Quinn"]')
    await expect.poll(() => host.locator('.state').allTextContents()).toEqual(['connected'])
    await host.frameLocator('iframe').getByText('An Activity: the host window asks the player.').waitFor()
    await expect.poll(() => messages().getByText('launched').count()).toBe(1)
  })
})
