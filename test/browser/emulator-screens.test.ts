/** Every page of the emulator in each of its states: no accessibility violation, nothing cut off, nothing wider than the window. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serveBackend, type Backend, type Received, type Reply } from '../emulator/support/backend'
import { beginSignIn, signIn } from '../emulator/support/sign-in-client'
import { serveActivityGame, type ActivityGame } from '../support/activity-game'
import { launchChromium } from '../support/chromium'
import { faultsInEveryLook } from './measure-looks'

let browser: Browser
let context: BrowserContext
let page: Page
let emulator: Emulator
let backend: Backend
let game: ActivityGame

beforeAll(async () => {
  browser = await launchChromium()
  context = await browser.newContext()
  emulator = await createEmulator({ commands: { globalDelay: 0 } })
  backend = await serveBackend(emulator, respond)
  game = await serveActivityGame(emulator)
  await emulator.interactions.connect(backend.url)
  await emulator.activity.serve(game.url)
  await register({ name: 'a-command-with-a-name-of-32-char', description: 'Open a form', default_member_permissions: '0' })
  await register({ name: 'form', description: 'Open a form' })
  await register({
    name: 'duel',
    description: 'Challenge another player',
    options: [
      { type: 6, name: 'opponent', description: 'Player to challenge', required: true },
      { type: 3, name: 'map', description: 'Place', autocomplete: true },
    ],
  })
  page = await context.newPage()
})

afterAll(async () => {
  await browser.close()
  await Promise.all([emulator.close(), backend.close(), game.close()])
})

/** Each state begins on a page of its own kind, without anything left from the state before. */
beforeEach(async () => {
  await page.goto('about:blank')
})

/** A form for one command, and buttons in the message of the others. */
function respond({ type, data }: Received): Reply {
  if (type === 4) return { type: 8, data: { choices: [{ name: 'The moon', value: 'moon' }] } }
  const name = { type: 4, custom_id: 'name', label: 'Name of the team', style: 1 }
  if (data.name === 'form')
    return { type: 9, data: { custom_id: 'team', title: 'A new team', components: [{ type: 1, components: [name] }] } }
  const button = { type: 2, custom_id: 'ready', label: 'Ready', style: 1 }
  const components = [{ type: 1, components: [button] }]
  return { type: 4, data: { content: `${type}`, flags: 64, embeds: [{ title: 'Duel', description: 'On the moon' }], components } }
}

async function register(definition: Record<string, unknown>): Promise<void> {
  const headers = { authorization: `Bot ${emulator.application.botToken}`, 'content-type': 'application/json' }
  const address = `${emulator.url}/api/v10/applications/${emulator.application.id}/commands`
  const { status } = await fetch(address, { method: 'POST', headers, body: JSON.stringify(definition) })
  expect(status).toBe(201)
}

const writing = () => page.getByRole('combobox', { name: /^Message to/ })

async function openChat(): Promise<void> {
  await page.goto(`${emulator.url}/chat`)
  await writing().waitFor()
}

async function useCommand(name: string): Promise<void> {
  await openChat()
  await writing().fill(`/${name}`)
  await page.getByRole('option', { name }).click()
}

async function launch(...as: string[]): Promise<void> {
  await page.goto(emulator.activity.launch({ as }).url)
  for (const state of await page.locator('.state').all()) await state.filter({ hasText: 'connected' }).waitFor()
}

async function askForConsent(): Promise<void> {
  await launch('ada')
  const element = await page.locator('iframe').elementHandle()
  const frame = await element?.contentFrame()
  await frame?.locator('body[data-ready=yes]').waitFor()
  const request = { client_id: emulator.application.id, scope: ['identify', 'openid'], response_type: 'code' }
  void frame?.evaluate(`window.sdk.commands.authorize(${JSON.stringify(request)}).catch(() => undefined)`).catch(() => undefined)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
}

async function openInspector(on = page): Promise<void> {
  await on.goto(`${emulator.url}/inspector#${emulator.controlToken}`)
  await on.getByRole('heading', { name: 'Clock' }).waitFor()
}

async function fillInspector(): Promise<void> {
  await signIn(emulator, 'ada')
  const headers = { authorization: `Bot ${emulator.application.botToken}`, 'content-type': 'application/json' }
  const members = [{ id: emulator.users[0]?.id }]
  await fetch(`${emulator.url}/api/v10/lobbies`, { method: 'POST', headers, body: JSON.stringify({ members }) })
  await fetch(`${emulator.url}/api/v10/users/@me`, { headers: { authorization: 'Bearer wrong' } })
  await emulator.webhooks.connect(backend.url).catch(() => undefined)
  await emulator.webhooks.send({ type: 'QUEST_STARTED', data: {} }).catch(() => undefined)
  emulator.faults([{ match: { method: 'POST', path: '/api/v10/a/rather/long/path/that/never/occurs' }, times: 3, effect: { status: 500 } }])
  await openInspector()
  await page.getByLabel('Name of a new snapshot').fill('before the duel')
  await page.getByRole('button', { name: 'Save the state' }).click()
  await page.getByRole('button', { name: 'Restore before the duel' }).waitFor()
  await page.locator('.virtual .refused').first().click()
  await page.getByRole('region', { name: 'Selected request' }).waitFor()
}

const STATES: Record<string, () => Promise<unknown>> = {
  'index page': () => page.goto(`${emulator.url}/`),
  'page that does not exist': () => page.goto(`${emulator.url}/nothere`),
  'refused authorize request': () => page.goto(`${emulator.url}/oauth2/authorize?client_id=1`),
  'consent page': async () => page.goto((await beginSignIn(emulator)).url),
  'installation page': () => page.goto(`${emulator.url}/oauth2/authorize?client_id=${emulator.application.id}`),
  'device page': () => page.goto(`${emulator.url}/activate`),
  'chat without messages': openChat,
  'chat with the list of commands': async () => {
    await openChat()
    await writing().fill('/')
    await page.getByRole('option', { name: '/duel' }).waitFor()
  },
  'chat with the fields of a command and suggestions': async () => {
    await useCommand('duel')
    await page.getByRole('button', { name: 'map' }).click()
    await page.getByRole('combobox', { name: 'map' }).fill('m')
    await page.getByRole('option', { name: 'The moon' }).waitFor()
  },
  'chat with a form': async () => {
    await useCommand('form')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('dialog', { name: 'A new team' }).waitFor()
  },
  'chat with messages, an open menu and a request': async () => {
    emulator.interactions.say({ as: 'bruno', content: 'Somebody for a duel?' })
    await openChat()
    await page
      .getByRole('button', { name: /^Apps for this message/ })
      .first()
      .click()
    await page.locator('.requests summary').first().click()
  },
  'chat with the Activity': async () => {
    await openChat()
    await page.getByRole('button', { name: 'Launch' }).click()
    await page.frameLocator('iframe[title^="The Activity"]').frameLocator('iframe').locator('#said').waitFor()
  },
  'launch page': () => page.goto(String(emulator.activity.url)),
  'host page with everything open': async () => {
    await launch('ada', 'bruno')
    for (const summary of await page.locator('summary:visible').all()) await summary.click()
  },
  'host page with a request for consent': askForConsent,
  'host page that a player has left': async () => {
    await launch('ada', 'bruno')
    await page.getByRole('button', { name: 'Leave' }).first().click()
    await page.getByText('Ada Quinn has left.').waitFor()
  },
  'instance that is over': () => page.goto(`${emulator.activity.url}?instance_id=1&as=ada`),
  'address without a page': () => page.goto(new URL('/_activity/nothere', emulator.activity.url).href),
  'inspector without a token': async () => {
    await page.goto(`${emulator.url}/inspector`)
    await page.getByLabel('Control token').fill('wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
  },
  'inspector with something in every panel': fillInspector,
  'inspector without anything': async () => {
    emulator.reset()
    emulator.faults([])
    await openInspector()
  },
}

describe('no fault in any look', () => {
  it.each(Object.keys(STATES))('%s', async (name) => {
    await STATES[name]?.()
    expect(await faultsInEveryLook(page)).toEqual([])
  })
})
