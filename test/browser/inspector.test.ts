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

function authorizeUrl({ url, application }: Emulator): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: application.id,
    redirect_uri: application.redirectUris[0] ?? '',
    scope: 'identify',
    state: 'some-state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  return `${url}/oauth2/authorize?${query}`
}

async function signIn(served: Emulator, as: string): Promise<void> {
  const { redirect } = await served.authorize(authorizeUrl(served), { as })
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: served.application.id,
    code: new URL(redirect).searchParams.get('code') ?? '',
    redirect_uri: served.application.redirectUris[0] ?? '',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  })
  const answer = await fetch(`${served.url}/api/v10/oauth2/token`, { method: 'POST', body })
  expect(await answer.json()).toHaveProperty('access_token')
}

async function createLobby({ url, application }: Emulator): Promise<string> {
  const headers = { authorization: `Bot ${application.botToken}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v10/lobbies`, { method: 'POST', headers, body: '{}' })
  return ((await response.json()) as { id: string }).id
}

const requestRows = () => page.getByRole('listbox', { name: 'Requests, newest first' })
const selectedRow = () => requestRows().getByRole('option', { selected: true })
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

  it('shows the details of a request that the keyboard selects', async () => {
    await open()
    await fetch(`${emulator.url}/api/v10/users/@me`, { headers: { authorization: 'Bearer wrong' } })
    await region('Requests').locator('.refused').first().waitFor()
    await requestRows().focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('region', { name: 'Selected request' }).getByText('Refused by the rule').waitFor()
    expect(await selectedRow().textContent()).toContain('/api/v10/users/@me')
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Selected request' }).waitFor({ state: 'detached' })
  })

  it('keeps the filter in the address: a reload shows the same requests', async () => {
    await open()
    await region('Requests').getByRole('searchbox').fill('users')
    await page.getByRole('checkbox', { name: 'Refused only' }).check()
    expect(page.url()).toBe(`${emulator.url}/inspector?filter=users&refused=`)
    await page.reload()
    await page.getByLabel('Control token').fill(emulator.controlToken)
    await page.getByRole('button', { name: 'Open' }).click()
    expect(await region('Requests').getByRole('searchbox').inputValue()).toBe('users')
  })

  it('counts the tokens of a player, and explains the permissions of a member', async () => {
    await signIn(emulator, 'ada')
    const headers = { authorization: `Bot ${emulator.application.botToken}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'ban', description: 'Ban a player', default_member_permissions: '0' })
    await fetch(`${emulator.url}/api/v10/applications/${emulator.application.id}/commands`, { method: 'POST', headers, body })
    await open()
    const ada = region('Players and tokens').getByRole('listitem').filter({ hasText: 'Ada' })
    await ada.getByText(/^1 access token, valid for 7 days; 1 refresh token/).waitFor()
    await ada.getByRole('button', { name: 'Revoke' }).click()
    await ada.getByText('no valid token').waitFor()
    await region('Guilds and permissions').getByLabel('Member').selectOption({ label: 'bruno' })
    const ban = region('Guilds and permissions').getByRole('row').filter({ hasText: 'ban' })
    await ban.getByText('no', { exact: true }).waitFor()
    expect(await ban.textContent()).toMatch(/no \w+/)
    await region('Guilds and permissions').getByLabel('Member').selectOption({ label: 'ada' })
    await ban.getByText('yes', { exact: true }).waitFor()
  })

  it('stays fluid with 5,000 requests: it renders the rows in view, and filters all of them', { timeout: 180_000 }, async () => {
    await open()
    for (let batch = 0; batch < 50; batch++) await Promise.all(Array.from({ length: 100 }, () => fetch(`${emulator.url}/avatars/1`)))
    await region('Requests')
      .getByText(/^(49\d\d|5000) of \d+$/)
      .waitFor()
    const rows = requestRows().getByRole('option')
    expect(await rows.count()).toBeLessThan(40)
    await requestRows().focus()
    await page.keyboard.press('End')
    await expect.poll(() => selectedRow().getAttribute('aria-posinset')).toMatch(/^(49\d\d|5000)$/)
    const search = region('Requests').getByRole('searchbox')
    const typed = await search.evaluate(async (field: HTMLInputElement) => {
      const begin = performance.now()
      field.value = 'nothing like this'
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      return performance.now() - begin
    })
    expect(typed).toBeLessThan(500)
    console.log(`Filtering 5,000 requests took ${typed.toFixed(0)} ms.`)
    await region('Requests').getByText('Nothing matches.').waitFor()
  })

  it.each([
    [320, 'light'],
    [768, 'dark'],
    [1440, 'light'],
    [320, 'dark'],
    [1440, 'dark'],
  ] as const)('has no accessibility violation and no sideways scroll at %i pixels in the %s theme', async (width, colorScheme) => {
    await page.close()
    page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
    await page.goto(`${emulator.url}/inspector`)
    await page.getByLabel('Control token').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.close()
    page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
    await open()
    await fetch(`${emulator.url}/api/v10/users/@me`, { headers: { authorization: 'Bearer wrong' } })
    await region('Requests').locator('.refused').first().click()
    await page.getByRole('region', { name: 'Selected request' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(await sideways(page)).toBeLessThanOrEqual(0)
    if (process.env['SCREENSHOTS']) await page.screenshot({ path: `${process.env['SCREENSHOTS']}/inspector-${width}.png`, fullPage: true })
  })
})
