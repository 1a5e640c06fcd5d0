/** Messages and forms on the chat page, played against a handler of the SDK, and with hostile content. */
import type { Emulator } from 'foyer-emulator'
import { createInteractionHandler, defineCommand } from 'foyer-sdk/server'
import type { Browser, BrowserContext, Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ChatBackend, openChatBackend } from '../../support/chat-backend'
import { launchChromium } from '../../support/chromium'
import {
  EMBED,
  FOREIGN_PICTURE,
  FORMS,
  IDS,
  messageOfVersion1,
  messageOfVersion2,
  SELECTS,
} from '../../support/screens/chat-parts'
import { serveRequests, type Served } from '../../support/serve-requests'

let browser: Browser
let context: BrowserContext
let chat: ChatBackend
/** Addresses that a page requested, and what its console reports. */
let requested: string[]
let complaints: string[]

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  chat = await openChatBackend()
  requested = []
  complaints = []
  context.on('request', (request) => requested.push(request.url()))
})
afterEach(async () => {
  await context.close()
  await chat.close()
  const foreign = requested.filter((url) => !url.startsWith(`${chat.emulator.url}/`))
  if (complaints.length + foreign.length > 0) throw new Error([...complaints, ...foreign].join('\n'))
})

async function open(as?: string): Promise<Page> {
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  if (as !== undefined)
    await page.addInitScript(
      (id) => sessionStorage.setItem('foyer-emulator-chat', JSON.stringify({ as: id })),
      as,
    )
  await page.goto(`${chat.emulator.url}/chat`)
  await page.getByRole('combobox', { name: /^Message to/ }).waitFor()
  return page
}

const messages = (page: Page): Locator => page.getByRole('list', { name: 'Messages' })
/** List of the select that is open. */
const offered = (page: Page): Locator => page.locator('.select-list:not([hidden])')

const button = (custom_id: string) => ({
  type: 1,
  components: [{ type: 2, style: 1, custom_id, label: custom_id }],
})

interface Submitted {
  components: { type: number; component?: object }[]
  resolved?: Record<string, Record<string, { filename?: string; url?: string }>>
}

interface Handled {
  type: string
  data: Record<string, unknown>
}

/** Connects a handler of the SDK, and returns what its handlers received. */
async function serveHandler({ url, application }: Emulator, handled: Handled[]): Promise<Served> {
  const show = defineCommand({ name: 'show', description: 'Show a part' }, () => ({
    content: 'Choose',
    // The parts are written as a backend of any language sends them.
    components: [...SELECTS.slice(1, 2), ...FORMS.map(({ custom_id: id }) => button(id))] as never[],
  }))
  const served = await serveRequests(
    createInteractionHandler({
      publicKey: application.publicKey,
      service: { host: url },
      commands: [show],
      onComponent: async (interaction) => {
        handled.push({ type: 'component', data: { ...interaction.raw.data } })
        const form = FORMS.find(({ custom_id: id }) => id === interaction.customId)
        if (form !== undefined) await interaction.showModal(form as never)
        else await interaction.reply('Chosen')
      },
      onModal: async (interaction) => {
        handled.push({ type: 'modal', data: { ...interaction.raw.data } })
        await interaction.reply({ content: 'Signed up', ephemeral: true })
      },
    }),
  )
  await chat.emulator.interactions.connect(served.url)
  return served
}

test('values, a form and its files reach a handler of the SDK in the shapes of the service', async () => {
  const handled: Handled[] = []
  const served = await serveHandler(chat.emulator, handled)
  try {
    await chat.emulator.interactions.use({ as: 'ada', command: 'show' })
    const page = await open()
    await page.getByRole('combobox', { name: 'Players' }).click()
    await offered(page).getByRole('option', { name: 'Bruno' }).click()
    await offered(page).getByRole('option', { name: 'Ada' }).click()
    await offered(page).getByRole('option', { name: /Chiy/ }).click()
    await page.keyboard.press('Escape')
    await messages(page).getByText('Chosen').waitFor()
    expect(handled.at(-1)?.data).toMatchObject({
      custom_id: 'players',
      component_type: 5,
      values: [IDS.BRUNO, IDS.ADA],
    })

    await page.getByRole('button', { name: 'form-0' }).click()
    const form = page.getByRole('dialog', { name: 'Sign up for the tournament' })
    const submitted = async () => {
      await form.getByRole('button', { name: 'Submit' }).click()
      await form.waitFor({ state: 'detached' })
      return handled.at(-1)?.data as unknown as Submitted
    }
    await form.getByLabel('Name in the game').fill('A')
    await form.getByRole('button', { name: 'Submit' }).click()
    await form.getByText('Write at least 3 characters: there are 1.').waitFor()
    await form.getByLabel('Name in the game').fill('Ada Q')
    await form.getByRole('combobox', { name: 'Maps' }).click()
    for (const name of ['Moon', 'Mountain']) await offered(page).getByRole('option', { name }).click()
    await page.keyboard.press('Escape')
    await form.getByRole('combobox', { name: 'Opponent' }).click()
    await offered(page).getByRole('option', { name: 'Bruno' }).click()
    const first = await submitted()

    await page.getByRole('button', { name: 'form-5' }).click()
    await form.getByRole('combobox', { name: 'Channel' }).click()
    await offered(page).getByRole('option', { name: '#general' }).click()
    await form.getByLabel('Beginner').check()
    for (const day of ['Friday', 'Sunday']) await form.getByLabel(day).check()
    expect(await form.getByLabel('Saturday').isDisabled()).toBe(true)
    const second = await submitted()

    await page.getByRole('button', { name: 'form-10' }).click()
    await form.getByLabel('Screenshots').setInputFiles([
      { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('one') },
      { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('two') },
    ])
    await form.getByRole('button', { name: 'Remove a.txt' }).click()
    const third = await submitted()
    expect(await messages(page).getByText('Signed up').count()).toBe(3)

    const components = [first, second, third].flatMap((one) => one.components)
    const [file] = Object.entries(third.resolved?.['attachments'] ?? {})
    expect(components[0]).toMatchObject({ type: 10 })
    expect(components.slice(1).map(({ component }) => component)).toMatchObject([
      { type: 4, custom_id: 'name', value: 'Ada Q' },
      { type: 4, custom_id: 'about', value: '' },
      { type: 3, custom_id: 'maps', values: ['moon', 'mountain'] },
      { type: 5, custom_id: 'opponent', values: [IDS.BRUNO] },
      { type: 6, custom_id: 'role', values: [] },
      { type: 7, custom_id: 'referee', values: [IDS.BRUNO] },
      { type: 8, custom_id: 'channel', values: [IDS.GENERAL] },
      { type: 21, custom_id: 'level', value: 'easy' },
      { type: 22, custom_id: 'days', values: ['fri', 'sun'] },
      { type: 23, custom_id: 'news', value: true },
      { type: 19, custom_id: 'proof', values: [file?.[0]] },
    ])
    expect(file?.[1].filename).toBe('b.txt')
    expect(await (await fetch(file?.[1].url ?? '')).text()).toBe('two')
  } finally {
    await served.close()
  }
})

test('a form whose response fails keeps what was typed, and can be sent again', async () => {
  await chat.show({ content: 'Sign up', components: [button('open')] })
  const input = { type: 4, custom_id: 'why', style: 1 }
  const modal = {
    custom_id: 'reason',
    title: 'Reason',
    components: [{ type: 18, label: 'Why?', component: input }],
  }
  let fails = true
  chat.respond(({ type }) => {
    if (type === 3) return { type: 9, data: modal }
    return fails ? { status: 500 } : { type: 4, data: { content: 'Thank you' } }
  })
  const page = await open()
  await page.getByRole('button', { name: 'open' }).click()
  await page.getByLabel('Why?').fill('Because')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('alert').waitFor()
  expect(await page.getByLabel('Why?').inputValue()).toBe('Because')
  fails = false
  await page.getByRole('button', { name: 'Submit' }).click()
  await messages(page).getByText('Thank you').waitFor()
})

test('a private message is on the page of its player only', async () => {
  await chat.show({ content: 'For **Ada** alone', flags: 64 })
  const [ada, bruno] = [await open(IDS.ADA), await open(IDS.BRUNO)]
  await messages(ada).getByText('Only you can see this').waitFor()
  await chat.show({ content: 'For all' })
  await messages(bruno).getByText('For all').waitFor()
  expect(await messages(bruno).textContent()).not.toContain('alone')
  const seen = async (as: string) => {
    const view = (await (await fetch(`${chat.emulator.url}/chat/api/view?as=${as}`)).json()) as {
      messages: unknown
      markdown: unknown
    }
    return JSON.stringify([view.messages, view.markdown])
  }
  expect(await seen('ada')).toContain('alone')
  expect(await seen('bruno')).not.toContain('alone')
})

test.each([
  [
    'links to scripts',
    '[a](javascript:alert(1)) <javascript:alert(1)> [b](data:text/html,<script>alert(1)</script>)',
  ],
  ['HTML', '<img src=x onerror=alert(1)><script>alert(1)</script><style>*{display:none}</style>&lt;b&gt;'],
  ['an endless word', 'a'.repeat(2000)],
  ['marks inside marks', `${'**_||'.repeat(200)}a`],
  ['words in both directions', '\u202Eevil \u2067mixed שלום\u202E and more'],
])('%s are shown as text, and the page stays as it is', async (_, text) => {
  await chat.show({
    content: text,
    embeds: [{ title: text.slice(0, 256), description: text, url: 'https://rules.example/' }],
    components: [
      {
        type: 1,
        components: [{ type: 2, style: 5, url: 'https://rules.example/', label: text.slice(0, 80) }],
      },
    ],
  })
  const page = await open()
  await page.locator('.message .embed').waitFor()
  const links = await page
    .locator('.message a')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  expect(links.filter((href) => !/^https?:/.test(href))).toEqual([])
  expect(await page.locator('.message :is(script, style, img:not(.face, .origin img))').count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  const room = await page.locator('.messages').evaluate((list) => list.scrollWidth - list.clientWidth)
  expect(room).toBeLessThanOrEqual(0)
})

test('pictures from elsewhere are named and not requested, in messages of both versions', async () => {
  await chat.show({ content: '', embeds: [{ ...EMBED, image: { url: FOREIGN_PICTURE } }] })
  await chat.show(messageOfVersion2(chat.files))
  const page = await open()
  await expect.poll(() => page.getByText('Picture not loaded').count()).toBe(3)
  expect(await page.getByRole('link', { name: 'pictures.example/castle.png' }).count()).toBe(2)
})

test('a message is changed, a spoiler opens by the keyboard, and an edit is marked', async () => {
  await chat.show({ ...messageOfVersion1(chat.files), components: [button('next')] })
  chat.respond(() => ({ type: 7, data: { content: 'The ||butler||', embeds: [], components: [] } }))
  const page = await open()
  await page.getByRole('button', { name: 'next' }).click()
  await messages(page).getByText('edited').waitFor()
  await page.getByRole('button', { name: 'Show the spoiler' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('.spoiler.shown').textContent()).toBe('butler')
})
