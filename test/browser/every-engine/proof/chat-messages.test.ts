/** Messages and forms with every part, on the chat page, in every engine: structure, accessibility, and that nothing foreign is loaded. */
import { mkdir, writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { type ChatBackend, openChatBackend } from '../../../support/chat-backend'
import type { EnginePage } from '../../../support/engines/engine'
import { closeAfterTest, inEveryEngine } from '../../../support/engines/in-every-engine'
import { FORMS, messageOfVersion1, messageOfVersion2, SELECTS } from '../../../support/screens/chat-parts'
import { AXE_FAULTS } from '../../demo-page'

const count = (page: EnginePage, css: string) =>
  page.evaluate<number>(`document.querySelectorAll(${JSON.stringify(css)}).length`)
const texts = (page: EnginePage, css: string) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll(${JSON.stringify(css)})].map((one) => one.textContent.trim())`,
  )
/** Selectors, each behind a prefix, that no element matches. */
const missing = (page: EnginePage, selectors: string[], prefix: string) =>
  page.evaluate<string[]>(
    `${JSON.stringify(selectors)}.filter((one) => document.querySelector(${JSON.stringify(prefix)} + one) === null)`,
  )
const FOREIGN = `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => !name.startsWith(location.origin + '/'))`

/** The kinds of parts of a form. */
const PARTS = [
  'input:not([type])',
  'textarea',
  '[role=combobox]',
  '[type=radio]',
  '[type=checkbox]',
  '[type=file][accept="image/*,.txt"]',
  '.text > strong',
]

async function openChat(page: EnginePage, { emulator }: ChatBackend, messages: number): Promise<void> {
  await page.resize(1440, 900)
  await page.goto(`${emulator.url}/chat`)
  await expect.poll(() => count(page, '.message')).toBe(messages)
}

/** Pictures for a person to look at: `PICTURES=folder`. The window is as high as what it shows. */
async function picture(page: EnginePage, name: string, height = 900): Promise<void> {
  const folder = process.env['PICTURES']
  if (folder === undefined) return
  const engine = await page.evaluate<string>("/Firefox|Chrome|$/.exec(navigator.userAgent)?.[0] || 'WebKit'")
  await page.resize(1440, height)
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))',
  )
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}/${name}-${engine}.png`, await page.picture())
}

const begin = async (...messages: ((files: ChatBackend['files']) => object)[]): Promise<ChatBackend> => {
  const chat = await openChatBackend()
  closeAfterTest(chat)
  for (const message of messages) await chat.show(message(chat.files))
  return chat
}

inEveryEngine(
  (engineTest) => {
    engineTest('a message of version 1 shows all of its parts', async (engine) => {
      const chat = await begin(messageOfVersion1)
      const page = await engine.open()
      await openChat(page, chat, 1)
      const marks = [
        'strong',
        'em',
        'u',
        's',
        'blockquote',
        '.heading.size-1',
        'ul ul',
        'ol',
        '.code-block',
        '.subtext',
      ]
      expect(await missing(page, marks, '.content > .text ')).toEqual([])
      expect(await texts(page, '.content > .text .mention:not(time)')).toEqual([
        '@Ada Quinn',
        '@Bruno',
        '@everyone',
        '#general',
        '/duel',
      ])
      expect(await texts(page, '.embed dt')).toEqual(['Ada', 'Bruno', 'Chidi', 'Next'])
      expect(await count(page, '.embed .inline')).toBe(3)
      expect(await texts(page, '.embed-footer')).toEqual([expect.stringContaining('Tournament office • ')])
      expect(await page.evaluate("getComputedStyle(document.querySelector('.embed')).borderLeftColor")).toBe(
        'rgb(46, 134, 171)',
      )
      expect(await texts(page, '.picture.elsewhere .address')).toEqual([
        'pictures.example/crest.png',
        'pictures.example/castle.png',
      ])
      expect(await page.evaluate("document.querySelector('img.picture').naturalWidth")).toBe(320)
      expect(await texts(page, '.file a[download]')).toEqual(['rules.txt'])
      expect(await texts(page, '.poll bdi')).toEqual(['Moon', 'Moor'])
      expect(
        await missing(
          page,
          ['primary', 'secondary', 'success', 'danger', 'link', 'premium'],
          '.message-button.',
        ),
      ).toEqual([])
      expect(await count(page, '.content [role=combobox]')).toBe(2)
      expect(await page.evaluate(AXE_FAULTS)).toEqual([])
      expect(await page.evaluate(FOREIGN)).toEqual([])
      await picture(page, 'version-1', 2000)
    })

    engineTest('a message of version 2 shows all of its parts, and a spoiler when asked', async (engine) => {
      const chat = await begin(messageOfVersion2)
      const page = await engine.open()
      await openChat(page, chat, 1)
      expect(await count(page, '.container.accent .section')).toBe(2)
      expect(await count(page, '.section > .veiled > img.thumbnail')).toBe(1)
      expect(await texts(page, '.section > .message-button')).toEqual(['Choose'])
      expect(await count(page, '.gallery .veiled')).toBe(3)
      expect(await count(page, '.separator.large')).toBe(1)
      expect(await texts(page, '.container .file a')).toEqual(['rules.txt'])
      expect(await page.evaluate(AXE_FAULTS)).toEqual([])
      const killer =
        "document.querySelectorAll('.container')[1].checkVisibility({ visibilityProperty: true }) && !document.querySelectorAll('.container')[1].closest('[inert]')"
      expect(await page.evaluate(killer)).toBe(false)
      await page.click('.content > .veiled > .reveal')
      await expect.poll(() => page.evaluate(killer)).toBe(true)
      expect(await page.evaluate(FOREIGN)).toEqual([])
      await picture(page, 'version-2', 1500)
    })

    engineTest('several values are chosen by the keyboard, and sent when the list closes', async (engine) => {
      const chat = await begin(() => ({ content: 'Choose', components: SELECTS }))
      chat.respond(() => ({ type: 6 }))
      const page = await engine.open()
      await openChat(page, chat, 1)
      await page.evaluate("document.querySelectorAll('.content [role=combobox]')[1].focus()")
      const press = (key: string) =>
        page.evaluate(
          `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: ${JSON.stringify(key)}, bubbles: true, cancelable: true }))`,
        )
      for (const key of ['ArrowDown', 'Enter', 'ArrowDown', 'Enter']) await press(key)
      await expect.poll(() => count(page, '[role=option][aria-selected=true]')).toBe(2)
      expect(await page.evaluate(AXE_FAULTS)).toEqual([])
      await picture(page, 'select')
      await press('Escape')
      await expect.poll(() => chat.received.at(-1)?.data.custom_id).toBe('players')
      const { data } = chat.received.at(-1) ?? {}
      const [ada, bruno] = chat.emulator.users
      expect(data).toMatchObject({ component_type: 5, values: [ada?.id, bruno?.id] })
      expect(Object.keys(data?.resolved?.['users'] ?? {})).toHaveLength(2)
    })

    engineTest('forms show every kind of part, and each fault at its part', async (engine) => {
      const buttons = FORMS.map(({ custom_id: id }) => ({ type: 2, style: 1, custom_id: id, label: id }))
      const chat = await begin(() => ({ content: 'Sign up', components: [{ type: 1, components: buttons }] }))
      chat.respond(({ data }) => ({
        type: 9,
        data: FORMS.find(({ custom_id: id }) => id === data.custom_id),
      }))
      const page = await engine.open()
      await openChat(page, chat, 1)
      const shown: Record<string, number> = {}
      for (const [index, { custom_id: id }] of FORMS.entries()) {
        await page.press(id)
        await expect.poll(() => count(page, 'dialog[open]')).toBe(1)
        for (const css of PARTS) shown[css] = (shown[css] ?? 0) + (await count(page, `dialog ${css}`))
        expect(await page.evaluate(AXE_FAULTS)).toEqual([])
        await picture(page, `form-${index}`)
        await page.press('Submit')
        const faults = [3, 3, 1][index]
        await expect.poll(() => count(page, 'dialog .fault')).toBe(faults)
        await expect
          .poll(() => page.evaluate("document.activeElement.getAttribute('aria-invalid')"))
          .toBe('true')
        expect(await page.evaluate(AXE_FAULTS)).toEqual([])
        await picture(page, `form-${index}-faults`)
        await page.press('Cancel')
        await expect.poll(() => count(page, 'dialog[open]')).toBe(0)
      }
      expect(Object.values(shown)).toEqual([1, 1, 5, 2, 4, 1, 1])
      expect(await page.evaluate(FOREIGN)).toEqual([])
    })
  },
  { takesPictures: true, contentOnly: true },
)
