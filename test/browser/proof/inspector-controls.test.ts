/** What a person sets and looks up in the emulator's inspector, in real Chromium. */
import { createServer } from 'node:http'
import type { Emulator } from 'foyer-emulator'
import { createEventHandler, toNodeListener } from 'foyer-sdk/server'
import { describe, expect, it } from 'vitest'
import { GatewayClient, identify } from '../../emulator/support/gateway-client'
import { listen } from '../../support/loopback'
import { signIn, useInspector } from '../../support/use-inspector'

const inspector = useInspector()
const { region } = inspector

async function createLobby({ url, application }: Emulator): Promise<string> {
  const headers = { authorization: `Bot ${application.botToken}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v10/lobbies`, { method: 'POST', headers, body: '{}' })
  return ((await response.json()) as { id: string }).id
}

const control = () => ({ headers: { authorization: `Bearer ${inspector.emulator.controlToken}` } })

describe('the inspector', () => {
  it('saves the state, restores it, and takes it to another emulator as a file', async () => {
    await inspector.open('Snapshots')
    const lobby = await createLobby(inspector.emulator)
    const seesLobby = async (text: string) => {
      await inspector.openTab('Lobbies')
      await region('Lobbies').getByText(text).waitFor()
      await inspector.openTab('Snapshots')
    }
    await seesLobby(lobby)
    await inspector.page.getByLabel('Name of a new snapshot').fill('one lobby')
    await inspector.page.getByRole('button', { name: 'Save the state' }).click()
    const [download] = await Promise.all([
      inspector.page.waitForEvent('download'),
      inspector.page.getByRole('button', { name: 'Export one lobby' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('one lobby.json')
    inspector.emulator.reset()
    await seesLobby('No lobby is open.')
    await inspector.page.getByRole('button', { name: 'Restore one lobby' }).click()
    await seesLobby(lobby)
    await inspector.page
      .getByLabel('Import a file')
      .setInputFiles({ name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
    await inspector.page.getByText('Not done: This is no snapshot').waitFor()
    await inspector.page.getByLabel('Import a file').setInputFiles(await download.path())
    await inspector.page.getByText(/^Imported/).waitFor()
    await expect
      .poll(() =>
        region('Snapshots')
          .getByRole('button', { name: /^Restore/ })
          .count(),
      )
      .toBe(2)
  })

  it('shows the sessions of bots with their events, and disturbs them', async () => {
    const { emulator, page } = inspector
    await inspector.open('Gateway')
    await region('Gateway').getByText('No bot has connected.').waitFor()
    const bot = new GatewayClient(emulator.gateway.url)
    await identify(bot, emulator)
    await region('Gateway').getByText('Intents: GUILDS.').waitFor()
    await region('Gateway')
      .getByText(/^connected, 0 heartbeats/)
      .waitFor()
    await region('Gateway')
      .getByText(/events$/)
      .click()
    await region('Gateway').getByText('READY').click()
    await region('Gateway').getByText('"session_type": "normal"').waitFor()
    await page.goto(`${emulator.url}/chat`)
    await page.getByText('A bot at the gateway gets the interactions.').waitFor()
    await inspector.open('Gateway')
    await page.getByRole('button', { name: 'Cut the connections' }).click()
    await page.getByText('The connections were cut.').waitFor()
    await region('Gateway').getByText('connection lost, may resume').waitFor()
    expect((await bot.closed).code).toBe(1006)
  })

  it('sends an event once more', async () => {
    const respond = createEventHandler({
      publicKey: inspector.emulator.application.publicKey,
      on: { other: () => undefined },
    })
    const listener = toNodeListener((request) => respond(request))
    const backend = await listen(createServer((request, response) => void listener(request, response)))
    try {
      await inspector.open('Deliveries')
      await inspector.page.getByLabel('Address for events').fill(`http://127.0.0.1:${backend.port}/events`)
      await inspector.page.getByRole('button', { name: 'Set the address' }).click()
      await inspector.page.getByText(/^Events go to/).waitFor()
      await inspector.emulator.webhooks.send({ type: 'QUEST_STARTED', data: {} })
      const row = region('Deliveries').getByRole('listitem').filter({ hasText: 'QUEST_STARTED' })
      await row.getByText('1 attempt, 204').waitFor()
      await row.getByRole('button', { name: 'Resend' }).click()
      await row.getByText('2 attempts, 204').waitFor()
      expect(inspector.emulator.webhooks.list().at(-1)?.attempts).toMatchObject([
        { status: 204 },
        { status: 204 },
      ])
    } finally {
      await backend.close()
    }
  })

  it('says that the emulator has stopped', async () => {
    await inspector.open('Clock')
    await inspector.emulator.close()
    await inspector.page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor()
    expect(await region('Clock').count()).toBe(1)
  })

  it('goes on with a new control token, even if the requests arrive before the token is checked', async () => {
    await inspector.open('Clock')
    await inspector.emulator.close()
    await inspector.page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor()
    await inspector.restart()
    const field = inspector.page.getByRole('textbox', { name: 'Control token', exact: true })
    await field.fill(inspector.emulator.controlToken)
    await inspector.page.route('**/_emulator/clock', async (route) => {
      await inspector.page.waitForResponse(
        (response) => response.url().endsWith('/requests/live') && response.ok(),
      )
      await field.waitFor({ state: 'detached' })
      await route.continue()
    })
    const checked = inspector.page.waitForResponse('**/_emulator/clock')
    await inspector.page.getByRole('button', { name: 'Open' }).click()
    await checked
    await fetch(`${inspector.emulator.url}/api/v10/users/@me`)
    await region('Requests').getByText('/api/v10/users/@me').waitFor()
    expect(await inspector.page.getByRole('alert').count()).toBe(0)
  })

  it('always says how the clock differs, and how many faults and lobbies there are', async () => {
    await inspector.open()
    const strip = inspector.page.getByRole('list', { name: 'State of the emulator' })
    expect(await strip.getByRole('listitem').allTextContents()).toEqual([
      'clock as this machine',
      '0 faults armed',
      '0 lobbies',
    ])
    inspector.emulator.advance(8 * 86_400_000)
    await createLobby(inspector.emulator)
    await expect
      .poll(() => strip.getByRole('listitem').allTextContents())
      .toEqual(['clock +8 d', '0 faults armed', '1 lobby'])
  })

  it('counts the tokens of a player, and explains the permissions of a member', async () => {
    await signIn(inspector.emulator, 'ada')
    const headers = {
      authorization: `Bot ${inspector.emulator.application.botToken}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ name: 'ban', description: 'Ban a player', default_member_permissions: '0' })
    await fetch(
      `${inspector.emulator.url}/api/v10/applications/${inspector.emulator.application.id}/commands`,
      {
        method: 'POST',
        headers,
        body,
      },
    )
    await inspector.open()
    const ada = region('Players and tokens').getByRole('listitem').filter({ hasText: 'Ada' })
    await ada.getByText(/^1 access token, valid for 7 days; 1 refresh token/).waitFor()
    await ada.getByRole('button', { name: 'Revoke' }).click()
    await ada.getByText('no valid token').waitFor()
    await inspector.openTab('Commands')
    await region('Guilds and permissions').getByLabel('Member').selectOption({ label: 'bruno' })
    const ban = region('Guilds and permissions').getByRole('row').filter({ hasText: 'ban' })
    await ban.getByText('no', { exact: true }).waitFor()
    expect(await ban.textContent()).toMatch(/no \w+/)
    await region('Guilds and permissions').getByLabel('Member').selectOption({ label: 'ada' })
    await ban.getByText('yes', { exact: true }).waitFor()
  })

  it('keeps the filter of an address that also has the token', async () => {
    await inspector.page.goto(
      `${inspector.emulator.url}/inspector?filter=users#${inspector.emulator.controlToken}`,
    )
    await inspector.page.getByRole('tab', { name: 'Clock' }).waitFor()
    expect(inspector.page.url()).toBe(`${inspector.emulator.url}/inspector?filter=users`)
    expect(await region('Requests').getByRole('searchbox').inputValue()).toBe('users')
  })

  it('expires the refresh tokens of a player, and leaves the access tokens', async () => {
    await signIn(inspector.emulator, 'ada')
    await inspector.open()
    const ada = region('Players and tokens').getByRole('listitem').filter({ hasText: 'Ada' })
    await ada.getByText(/; 1 refresh token/).waitFor()
    await ada.getByRole('button', { name: 'Expire refresh tokens' }).click()
    await ada.getByText(/^1 access token, valid for 7 days$/).waitFor()
    expect(
      await inspector.page
        .getByRole('status')
        .filter({ hasText: 'The refresh tokens of ada have expired' })
        .count(),
    ).toBe(1)
  })

  it('moves the clock by any amount, and refuses what is no amount', async () => {
    await inspector.open('Clock')
    const clock = region('Clock')
    await clock.getByLabel('Amount').fill('-1')
    await clock.getByRole('button', { name: 'Move the clock' }).click()
    expect(
      await clock.getByLabel('Amount').evaluate((field: HTMLInputElement) => field.validity.rangeUnderflow),
    ).toBe(true)
    await clock.getByLabel('Amount').fill('36')
    await clock.getByLabel('Unit').selectOption('hours')
    await clock.getByRole('button', { name: 'Move the clock' }).click()
    await clock.getByText('It is 1.5 days ahead of this machine.').waitFor()
    await clock.getByRole('button', { name: '+ 8 days' }).click()
    await clock.getByText('It is 9.5 days ahead of this machine.').waitFor()
  })

  it('freezes the clock, and sets it behind the machine’s, as at a service whose clock is wrong', async () => {
    await inspector.open('Clock')
    const clock = region('Clock')
    await clock.getByRole('button', { name: 'Freeze' }).click()
    await clock.getByText('frozen', { exact: true }).waitFor()
    const { now, frozen } = inspector.emulator.clock()
    expect(frozen).toBe(true)
    await clock.getByRole('button', { name: '+ 1 hour' }).click()
    await expect.poll(() => inspector.emulator.clock().now).toBe(now + 3_600_000)
    await clock.getByRole('button', { name: 'Freeze', pressed: true }).click()
    await inspector.page.getByText('The clock runs again').waitFor()
    await clock.getByRole('button', { name: '10 minutes behind' }).click()
    await clock.getByText('It is 10 minutes behind this machine.').waitFor()
    await clock.getByLabel('Amount').fill('3')
    await clock.getByLabel('Unit').selectOption('hours')
    await clock.getByLabel('Direction').selectOption('behind')
    await clock.getByRole('button', { name: 'Move the clock' }).click()
    await clock.getByText('It is 3 hours behind this machine.').waitFor()
    expect(inspector.emulator.clock()).toMatchObject({ ahead: -10_800_000, frozen: false })
    await clock.getByRole('button', { name: 'no difference' }).click()
    await clock.getByText('It is the time of this machine.').waitFor()
  })

  it('switches a situation of several faults on and off, and leaves the other rules', async () => {
    await inspector.open('Faults')
    const faults = region('Faults')
    await faults.getByRole('button', { name: 'The next connection is closed' }).click()
    await faults.getByRole('button', { name: 'Bad Wi-Fi' }).click()
    await faults.getByRole('button', { name: 'Bad Wi-Fi', pressed: true }).waitFor()
    expect(inspector.emulator.faults()).toHaveLength(4)
    await fetch(`${inspector.emulator.url}/api/v10/users/@me`).catch(() => undefined)
    await faults.getByRole('button', { name: 'The next connection is closed', pressed: false }).waitFor()
    await faults.getByRole('button', { name: 'Blocked address' }).click()
    await faults.getByRole('button', { name: 'Blocked address', pressed: true }).waitFor()
    await faults.getByRole('button', { name: 'Bad Wi-Fi' }).click()
    await inspector.page.getByText('Removed: Bad Wi-Fi.').waitFor()
    expect(inspector.emulator.faults()).toMatchObject([{ times: 10, effect: { status: 429 } }])
  })

  it('sets a fault rule of one’s own, which counts down, and deletes it', async () => {
    await inspector.open('Faults')
    const faults = region('Faults')
    await faults.getByRole('button', { name: 'The next connection is closed' }).click()
    await faults.getByRole('combobox', { name: 'Method' }).selectOption('GET')
    await faults.getByRole('textbox', { name: /^Path/ }).fill('/api/v10/users/*')
    await faults.getByRole('spinbutton', { name: 'Status' }).fill('503')
    await faults.getByRole('spinbutton', { name: 'Requests' }).fill('3')
    await faults.getByRole('button', { name: 'Add the rule' }).click()
    await faults.getByText('3 more requests').waitFor()
    inspector.emulator.faults(inspector.emulator.faults().slice(1))
    expect((await fetch(`${inspector.emulator.url}/api/v10/users/@me`)).status).toBe(503)
    await faults.getByText('2 more requests').waitFor()
    await faults.getByRole('combobox', { name: 'Effect' }).selectOption({ label: 'delay' })
    await faults.getByRole('spinbutton', { name: 'Milliseconds' }).fill('20')
    await faults.getByRole('button', { name: 'Add the rule' }).click()
    await faults.getByText('takes 20 ms longer').waitFor()
    await faults
      .getByRole('button', { name: 'Delete the rule GET /api/v10/users/*: responds with 503' })
      .click()
    await inspector.page.getByText('Deleted: GET /api/v10/users/*: responds with 503.').waitFor()
    expect(inspector.emulator.faults()).toMatchObject([
      { times: 3, match: { method: 'GET' }, effect: { delay: 20 } },
    ])
  })

  it('lists every registered command with its type, contexts and permissions', async () => {
    const headers = {
      authorization: `Bot ${inspector.emulator.application.botToken}`,
      'content-type': 'application/json',
    }
    const application = `${inspector.emulator.url}/api/v10/applications/${inspector.emulator.application.id}`
    const register = (path: string, body: object) =>
      fetch(application + path, {
        method: 'POST',
        headers,
        body: JSON.stringify({ description: 'A command', ...body }),
      })
    await inspector.open('Commands')
    await register('/commands', { name: 'ban', default_member_permissions: '32', contexts: [0] })
    const guild = (await (await fetch(`${inspector.emulator.url}/_emulator/overview`, control())).json()) as {
      guilds: { id: string; name: string }[]
    }
    await register(`/guilds/${guild.guilds[0]?.id}/commands`, { name: 'dance', nsfw: true })
    const rows = inspector.page.getByRole('list', { name: 'Registered commands' }).getByRole('listitem')
    await rows.filter({ hasText: 'dance' }).waitFor()
    expect(await rows.filter({ hasText: 'ban' }).textContent()).toBe(
      'ban slash, globalin guilds; members with MANAGE_GUILD',
    )
    expect(await rows.filter({ hasText: 'dance' }).textContent()).toBe(
      `dance slash, guild18+in ${guild.guilds[0]?.name}; every member`,
    )
  })
})
