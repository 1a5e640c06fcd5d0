/** The emulator's inspector in real Chromium: requests as they complete, and what a person can set. */
import { createServer } from 'node:http'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { createEventHandler, toNodeListener } from 'foyer-sdk/server'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium'
import { listen } from '../support/loopback'
import { axeFaults, sideways } from './demo-page'

let browser: Browser
let emulator: Emulator
let page: Page

beforeAll(async () => {
  browser = await launchChromium()
})

afterAll(() => browser.close())

beforeEach(async () => {
  emulator = await createEmulator()
  page = await browser.newPage()
})

afterEach(async () => {
  await page.close()
  await emulator.close()
})

async function open(): Promise<void> {
  await page.goto(`${emulator.url}/inspector#${emulator.controlToken}`)
  await page.getByRole('heading', { name: 'Clock' }).waitFor()
}

async function createLobby({ url, application }: Emulator): Promise<string> {
  const headers = { authorization: `Bot ${application.botToken}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v10/lobbies`, { method: 'POST', headers, body: '{}' })
  return ((await response.json()) as { id: string }).id
}

const region = (name: string) => page.getByRole('region', { name })

describe('the inspector', () => {
  it('shows each request when it completes, with the rule that refused it', async () => {
    await open()
    await fetch(`${emulator.url}/api/v10/users/@me`, { headers: { authorization: 'Bearer wrong' } })
    const row = region('Requests').locator('.refused', { hasText: 'GET /api/v10/users/@me' })
    await row.waitFor()
    expect(await row.textContent()).toMatch(/401.*Refused: /)
    await fetch(`${emulator.url}/.well-known/openid-configuration`)
    await region('Requests').getByText('openid-configuration').waitFor()
    await page.getByRole('checkbox', { name: 'Refused only' }).check()
    expect(await region('Requests').getByText('openid-configuration').count()).toBe(0)
  })

  it('removes the control token from the address bar, and asks for it after a reload', async () => {
    await open()
    expect(page.url()).toBe(`${emulator.url}/inspector`)
    expect(await page.content()).not.toContain(emulator.controlToken)
    await page.reload()
    await page.getByLabel('Control token').fill('emu_control_wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
    await page.getByLabel('Control token').fill(emulator.controlToken)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Clock' }).waitFor()
    expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
  })

  it('moves the clock, sets a fault and removes it', async () => {
    await open()
    const before = Date.now()
    await page.getByRole('button', { name: '+ 1 day' }).click()
    await page.getByText('The clock is 1 day ahead').waitFor()
    const time = await region('Clock').locator('time').getAttribute('datetime')
    expect(Date.parse(time ?? '')).toBeGreaterThan(before + 86_000_000)
    await page.getByRole('button', { name: 'The next connection is closed' }).click()
    await page.getByText('Set: The next connection is closed.').waitFor()
    expect(emulator.faults()).toMatchObject([{ times: 1, effect: { drop: true } }])
    await page.getByRole('button', { name: 'Remove all' }).click()
    await page.getByText('All faults were removed.').waitFor()
    expect(emulator.faults()).toEqual([])
  })

  it('saves the state, restores it, and takes it to another emulator as a file', async () => {
    await open()
    const lobby = await createLobby(emulator)
    await region('Lobbies').getByText(lobby).waitFor()
    await page.getByLabel('Name of a new snapshot').fill('one lobby')
    await page.getByRole('button', { name: 'Save the state' }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export one lobby' }).click()])
    expect(download.suggestedFilename()).toBe('one lobby.json')
    emulator.reset()
    await region('Lobbies').getByText('No lobby is open.').waitFor()
    await page.getByRole('button', { name: 'Restore one lobby' }).click()
    await region('Lobbies').getByText(lobby).waitFor()
    await page.getByLabel('Import a file').setInputFiles({ name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
    await page.getByText('Not done: This is no snapshot').waitFor()
    await page.getByLabel('Import a file').setInputFiles(await download.path())
    await page.getByText(/^Imported/).waitFor()
    await expect
      .poll(() =>
        region('Snapshots')
          .getByRole('button', { name: /^Restore/ })
          .count(),
      )
      .toBe(2)
  })

  it('sends an event once more', async () => {
    const respond = createEventHandler({ publicKey: emulator.application.publicKey, on: { other: () => undefined } })
    const listener = toNodeListener((request) => respond(request))
    const backend = await listen(createServer((request, response) => void listener(request, response)))
    try {
      await open()
      await page.getByLabel('Address for events').fill(`http://127.0.0.1:${backend.port}/events`)
      await page.getByRole('button', { name: 'Set the address' }).click()
      await page.getByText(/^Events go to/).waitFor()
      await emulator.webhooks.send({ type: 'QUEST_STARTED', data: {} })
      const row = region('Deliveries').getByRole('listitem').filter({ hasText: 'QUEST_STARTED' })
      await row.getByText('1 attempt, 204').waitFor()
      await row.getByRole('button', { name: 'Resend' }).click()
      await row.getByText('2 attempts, 204').waitFor()
      expect(emulator.webhooks.list().at(-1)?.attempts).toMatchObject([{ status: 204 }, { status: 204 }])
    } finally {
      await backend.close()
    }
  })

  it('says that the emulator has stopped', async () => {
    await open()
    await emulator.close()
    await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor()
    expect(await region('Clock').count()).toBe(1)
  })

  it('renders a part of a long list, and filters all of it', async () => {
    await open()
    const authorization = 'Bearer wrong'
    for (let batch = 0; batch < 10; batch++)
      await Promise.all(Array.from({ length: 100 }, () => fetch(`${emulator.url}/avatars/1`, { headers: { authorization } })))
    await region('Requests')
      .getByText(/^(9\d\d|1\d{3}) of \d+$/)
      .waitFor()
    expect(await region('Requests').locator('li').count()).toBe(200)
    await region('Requests').getByRole('searchbox').fill('nothing like this')
    await region('Requests').getByText('Nothing matches.').waitFor()
  })

  it.each([320, 768, 1440])('has no accessibility violation and no sideways scroll at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${emulator.url}/inspector`)
    await page.getByLabel('Control token').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.close()
    page = await browser.newPage({ viewport: { width, height: 900 } })
    await open()
    await fetch(`${emulator.url}/api/v10/users/@me`, { headers: { authorization: 'Bearer wrong' } })
    await region('Requests').locator('.refused').first().waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(await sideways(page)).toBeLessThanOrEqual(0)
    if (process.env['SCREENSHOTS']) await page.screenshot({ path: `${process.env['SCREENSHOTS']}/inspector-${width}.png`, fullPage: true })
  })
})
