/** The emulator's chat page in real Chromium: commands from the first slash to the answer, and the Activity. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Browser, BrowserContext, Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { serveBackend, type Backend, type Received, type Reply } from '../../emulator/support/backend'
import { serveActivityGame, type ActivityGame } from '../../support/activity-game'
import { launchChromium } from '../../support/chromium'

const tavern = '319560327719026709'
const maps = ['Moon', 'Moor', 'Mountain']

let browser: Browser
let context: BrowserContext
let emulator: Emulator
let backend: Backend
let game: ActivityGame
let answer: (interaction: Received) => Reply
/** What a browser complains about: scripts that fail, and what the content security policy forbids. */
let complaints: string[]

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  emulator = await createEmulator({ commands: { globalDelay: 0 } })
  complaints = []
  answer = ({ data }) => ({ type: 4, data: { content: `${data.name} it is` } })
  backend = await serveBackend(emulator, (interaction) => answer(interaction))
  game = await serveActivityGame(emulator)
  await emulator.interactions.connect(backend.url)
})
afterEach(async () => {
  await context.close()
  await Promise.all([emulator.close(), backend.close(), game.close()])
  // A page that fails behind a test that passes is a failure too.
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
})

async function register(definition: Record<string, unknown>, place = `/guilds/${tavern}`): Promise<string> {
  return call('POST', `${place}/commands`, definition)
}

async function call(method: string, path: string, body: unknown): Promise<string> {
  const response = await fetch(`${emulator.url}/api/v10/applications/${emulator.application.id}${path}`, {
    method,
    headers: { authorization: `Bot ${emulator.application.botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.ok).toBe(true)
  return ((await response.json()) as { id: string }).id
}

async function openChat(): Promise<Page> {
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(`${emulator.url}/chat`)
  await writing(page).waitFor()
  return page
}

const writing = (page: Page): Locator => page.getByRole('combobox', { name: /^Message to/ })
const messages = (page: Page): Locator => page.getByRole('list', { name: 'Messages' })

/** What the picker offers, in the order of the list. */
async function offered(page: Page): Promise<string[]> {
  await writing(page).fill('/')
  await page
    .getByRole('status')
    .filter({ hasText: /command/ })
    .waitFor()
  const names = await page.locator('#commands .name').allTextContents()
  await writing(page).fill('')
  return names
}

function send(method: string, url: string, content: string): Promise<Response> {
  return fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  })
}

/** Resolves when the page shows what this player sees. */
async function become(page: Page, name: string): Promise<void> {
  const player = emulator.users.find(({ globalName, username }) => (globalName ?? username) === name)
  await page.getByLabel('Player', { exact: true }).selectOption({ label: name })
  await page.locator(`.who img[src="/avatars/${player?.id}.svg"]`).waitFor()
}

async function useGreet(page: Page): Promise<void> {
  await writing(page).fill('/greet')
  await page.keyboard.press('Enter')
  await expect
    .poll(() =>
      page.getByRole('button', { name: 'Send' }).evaluate((button) => button === document.activeElement),
    )
    .toBe(true)
  await page.keyboard.press('Enter')
}

const duel = {
  name: 'duel',
  description: 'Challenge another player',
  options: [
    { type: 6, name: 'opponent', description: 'Whom', required: true },
    { type: 3, name: 'map', description: 'Where', required: true, autocomplete: true },
    { type: 4, name: 'rounds', description: 'How many', min_value: 1 },
  ],
}

/** Suggests maps that begin with what is typed; otherwise says what it got. */
function referee({ type, data }: Received): Reply {
  if (type !== 4)
    return { type: 4, data: { content: JSON.stringify(data.options?.map(({ value }) => value)) } }
  const typed = JSON.stringify(data.options?.find(({ focused }) => focused === true)?.value ?? '').slice(
    1,
    -1,
  )
  const choices = maps
    .filter((name) => name.toLowerCase().startsWith(typed))
    .map((name) => ({ name, value: name.toLowerCase() }))
  return { type: 8, data: { choices } }
}

test('a command is chosen, filled in with suggestions and sent by the keyboard alone', async () => {
  answer = referee
  await register(duel)
  const page = await openChat()
  await writing(page).focus()
  await page.keyboard.type('/du')
  await page.getByRole('option', { name: '/duel' }).waitFor()
  await page.keyboard.press('Enter')
  // One letter: a list that is typed at forgets the last one after a second.
  await page.keyboard.press('b')
  await page.keyboard.press('Tab')
  await page.keyboard.type('moo')
  await page.getByText('2 suggestions').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('combobox', { name: 'map' }).inputValue()).toBe('Moor')
  await page.keyboard.press('Enter')
  await messages(page).getByText('["211842960158326785","moor"]').waitFor()
  // Questions that a player typed quickly may overtake each other.
  expect(backend.received.filter(({ type }) => type === 4).map(({ data }) => data.options)).toContainEqual([
    { type: 6, name: 'opponent', value: '211842960158326785' },
    { type: 3, name: 'map', value: 'moo', focused: true },
  ])
  await expect.poll(() => writing(page).evaluate((element) => element === document.activeElement)).toBe(true)
})

test('a file is chosen for a command, and the backend fetches it', async () => {
  const options = [
    { type: 11, name: 'proof', description: 'A picture', required: true, file_types: ['.txt'] },
  ]
  await register({ name: 'claim', description: 'Claim a score', options })
  const page = await openChat()
  await writing(page).fill('/claim')
  await page.keyboard.press('Enter')
  const field = page.getByLabel('proof')
  expect(await field.getAttribute('accept')).toBe('.txt')
  await field.setInputFiles({ name: 'score.txt', mimeType: 'text/plain', buffer: Buffer.from('9') })
  await expect
    .poll(() => field.evaluate((input) => input instanceof HTMLInputElement && input.validity.valid))
    .toBe(true)
  await page.getByRole('button', { name: 'Send' }).click()
  await messages(page).getByText('claim it is').waitFor()
  const { resolved, options: [sent] = [] } = backend.received.at(-1)?.data ?? {}
  const attachment = resolved?.['attachments']?.[String(sent?.value)]
  expect(await (await fetch(String(attachment?.['url']))).text()).toBe('9')
})

test('the picker shows what the player may use there, in their language', async () => {
  await register({ ...duel, name_localizations: { ja: '決闘', 'en-GB': 'joust' } })
  await register({ name: 'keep', description: 'For keepers', default_member_permissions: '32' })
  await register({ name: 'brawl', description: 'For adults', nsfw: true })
  await register({ name: 'greet', description: 'Everywhere', contexts: [0, 1] }, '')
  await register({ name: 'here', description: 'In guilds', contexts: [0] }, '')
  const page = await openChat()
  const go = async (player: string, channel: string) => {
    await become(page, player)
    await page.getByRole('navigation').getByRole('button', { name: channel }).first().click()
    await page.getByRole('heading', { level: 1, name: channel }).waitFor()
  }
  expect(await offered(page)).toEqual(['▶ Launch', '/greet', '/here', '/joust', '/keep'])
  await go('Chiyō Mori', 'cellar')
  expect(await offered(page)).toEqual(['▶ Launch', '/greet', '/here', '/決闘', '/keep', '/brawl'])
  await go('Zoë Okafor', 'cellar')
  expect(await offered(page)).toEqual(['▶ Launch', '/greet', '/here', '/joust'])
  await go('Ada Quinn', 'Example Game')
  expect(await offered(page)).toEqual(['▶ Launch', '/greet'])
})

test('what the backend got, what it answered and why it was refused stand beside the chat, without the token', async () => {
  answer = () => ({ status: 500, body: 'boom' })
  await register({ name: 'greet', description: 'Hello' })
  const page = await openChat()
  await useGreet(page)
  await page
    .getByRole('alert')
    .getByText('The application did not respond: answered with status 500 instead of 200.')
    .waitFor()
  const entry = page
    .getByRole('complementary', { name: 'Requests' })
    .getByRole('listitem')
    .filter({ hasText: 'greet' })
  await entry.locator('summary').click()
  for (const text of [
    'X-Signature-Ed25519',
    '"name": "greet"',
    'boom',
    'answered with status 500 instead of 200',
  ])
    await entry.getByText(text).first().waitFor()
  expect(await page.content()).not.toContain(backend.received.at(-1)?.token)
})

test('an endpoint that believes a forged request is refused on the page, with the reason', async () => {
  const gullible = await serveBackend(emulator, () => ({ type: 4 }), { verifies: false })
  const page = await openChat()
  await page.getByLabel('Interactions endpoint').first().fill(gullible.url)
  await page.getByRole('button', { name: 'Set the Interactions endpoint' }).click()
  await page.getByRole('alert').getByText('does not verify signatures').waitFor()
  expect(emulator.interactions.url).toBe(backend.url)
  complaints = complaints.filter((text) => !text.includes('status of 400'))
  await gullible.close()
})

test('an outdated command is rejected, loaded anew and then works', async () => {
  const id = await register({ name: 'greet', description: 'Hello' }, '')
  const page = await openChat()
  await writing(page).fill('/greet')
  await page.keyboard.press('Enter')
  await call('PATCH', `/commands/${id}`, { description: 'Hello, you' })
  const button = page.getByRole('button', { name: 'Send' })
  await button.click()
  await page.getByRole('alert').getByText('This command is outdated').waitFor()
  await page.getByText('Hello, you').waitFor()
  await button.click()
  await messages(page).getByText('greet it is').waitFor()
  expect(backend.received.map(({ type }) => type)).toEqual([1, 2])
})

test('menus of users and messages work, forms too, and a user command needs permission to send', async () => {
  const input = { type: 1, components: [{ type: 4, custom_id: 'why', style: 2, label: 'What is wrong?' }] }
  answer = ({ type, data }) => {
    if (data.name === 'Report')
      return { type: 9, data: { custom_id: 'report', title: 'Report', components: [input] } }
    return { type: 4, data: { content: type === 5 ? 'noted' : `challenged ${data.target_id}`, flags: 64 } }
  }
  await register({ type: 2, name: 'Challenge' })
  await register({ type: 3, name: 'Report' })
  emulator.interactions.say({ as: 'bruno', content: 'boo' })
  const page = await openChat()
  await page.getByRole('button', { name: 'Apps for this message of Bruno' }).click()
  await page.keyboard.press('Enter')
  await page.getByLabel('What is wrong?').fill('too loud')
  await page.getByRole('button', { name: 'Submit' }).click()
  await messages(page).getByText('noted').waitFor()
  await page.getByRole('button', { name: 'Apps for Bruno' }).click()
  await page.getByRole('menuitem', { name: 'Challenge' }).click()
  await messages(page).getByText('challenged 211842960158326785').waitFor()
  expect(await messages(page).getByText('Only you can see this').count()).toBe(2)
  await become(page, 'mira.k')
  await expect.poll(() => messages(page).getByText('Only you can see this').count()).toBe(0)
  await page.getByRole('navigation').getByRole('button', { name: 'announcements' }).click()
  await page.getByRole('heading', { level: 1, name: 'announcements' }).waitFor()
  await page.getByRole('button', { name: 'Apps for Bruno' }).click()
  await page.getByRole('menuitem', { name: 'Challenge' }).click()
  await page.getByRole('alert').getByText('Permission Denied').waitFor()
})

test('a promised answer is seen as thinking until it comes, and follow-ups come by themselves', async () => {
  answer = () => ({ type: 5 })
  await register({ name: 'greet', description: 'Hello' })
  const page = await openChat()
  await useGreet(page)
  await messages(page).getByText('Example Game is thinking').waitFor()
  const path = `${emulator.url}/api/v10/webhooks/${emulator.application.id}/${backend.received.at(-1)?.token}`
  await send('PATCH', `${path}/messages/@original`, 'at last')
  await messages(page).getByText('at last').waitFor()
  expect(await messages(page).getByText('thinking').count()).toBe(0)
  await send('POST', path, 'and more')
  await messages(page).getByText('and more').waitFor()
})

test('two players launch the Activity from the chat and are in it together, until it is closed', async () => {
  await emulator.activity.serve(game.url)
  const page = await openChat()
  const gameOf = (name: string) =>
    page
      .frameLocator(`iframe[title="The Activity, as ${name} sees it"]`)
      .frameLocator(`iframe[title="The game, as ${name} sees it"]`)
  await page.getByRole('button', { name: 'Launch' }).click()
  await gameOf('Ada Quinn').locator('#said', { hasText: /^ada$/ }).waitFor()
  await become(page, 'Bruno')
  await messages(page).getByRole('button', { name: 'Join' }).click()
  for (const name of ['Ada Quinn', 'Bruno'])
    await gameOf(name).locator('#said', { hasText: 'ada and bruno' }).waitFor()
  expect(emulator.activity.instances()).toHaveLength(1)
  await page.getByRole('button', { name: 'Close Activity' }).click()
  await messages(page).getByText('ended').waitFor()
  expect(emulator.activity.instances()).toEqual([])
})

test('a page whose emulator has gone says so, and goes on where it was when it is back', async () => {
  const page = await openChat()
  await page.getByRole('navigation').getByRole('button', { name: 'cellar' }).click()
  await page.getByRole('heading', { level: 1, name: 'cellar' }).waitFor()
  await emulator.close()
  await page.getByRole('alert').getByText('This page goes on by itself').waitFor()
  await writing(page).fill('anybody?')
  await page.keyboard.press('Enter')
  await page
    .getByRole('alert')
    .filter({ hasText: /^The emulator does not answer\.\W*$/ })
    .waitFor()
  emulator = await createEmulator({ port: Number(new URL(page.url()).port) })
  await page.getByText('This page goes on by itself').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  emulator.interactions.say({ as: 'ada', content: 'back again', channel: '319563701934981153' })
  await messages(page).getByText('back again').waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('# cellar')
  complaints = complaints.filter((text) => !text.includes('net::'))
})

test('another page on this machine cannot act in the chat', async () => {
  const page = await context.newPage()
  await page.goto(game.url)
  const outcome = await page.evaluate(
    (url) =>
      fetch(`${url}/chat/api/say`, {
        method: 'POST',
        body: '{"as":"ada","content":"x"}',
        mode: 'no-cors',
      }).then(() => 'sent'),
    emulator.url,
  )
  expect(outcome).toBe('sent')
  expect(emulator.interactions.messages({ as: 'ada' })).toEqual([])
})

test.each([
  { name: 'at 1024 × 768', font: '100%' },
  { name: 'at 1024 × 768 with a font twice as large', font: '200%' },
])('the message line is in view $name, also below a notice', async ({ font }) => {
  const page = await openChat()
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.evaluate((size) => (document.documentElement.style.fontSize = size), font)
  const hidden = () =>
    writing(page).evaluate((line) => Math.max(0, line.getBoundingClientRect().bottom - innerHeight))
  await expect.poll(hidden).toBe(0)
  await page.evaluate(() => {
    const notice = Object.assign(document.createElement('p'), { textContent: 'A notice above the page.' })
    notice.style.padding = '20px'
    document.querySelector('#chat')?.before(notice)
  })
  await expect.poll(hidden).toBe(0)
})
