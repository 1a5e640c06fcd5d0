/** Links to scripts and documents in messages, clicked in every engine: nothing runs, no window opens, and the page stays. */
import { expect } from 'vitest'
import { openChatBackend } from '../../../support/chat-backend'
import type { EnginePage } from '../../../support/engines/engine'
import { CONTENT_ONLY, closeAfterTest, inEveryEngine } from '../../../support/engines/in-every-engine'

const HOSTILE = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  'javascript\u00AD:alert(1)',
  'javascript&colon;alert(1)',
  'javascript%3Aalert(1)',
  'javascript://rules.example/%0Aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'vbscript:alert(1)',
  'blob:null/0b7c',
  'file:///etc/hostname',
  'view-source:about:blank',
]
/** Addresses of the web, each of which stands for a hostile one. */
const HARMLESS = HOSTILE.map((_, index) => `https://rules.example/${index}/`)

const listOf = (links: string[]) =>
  links.map((link, index) => `${index + 1}. [**click**](${link})`).join('\n')

/** In the page: a dialog would block the driver, so the document is marked instead. */
function markDialogs(): void {
  for (const name of ['alert', 'confirm', 'prompt'] as const) {
    Object.assign(window, { [name]: () => (document.documentElement.dataset['ran'] = name) })
  }
}

/** In the page: from now on the emulator's data has these addresses, as if it had accepted them. */
function receive(hostile: string[]): void {
  const send = window.fetch
  window.fetch = async (input, init) => {
    const response = await send(input, init)
    const text = await response.text()
    const changed = text.replaceAll(/https:\/\/rules\.example\/(\d+)\//g, (_, index) =>
      JSON.stringify(hostile[Number(index)]).slice(1, -1),
    )
    return new Response(changed, { status: response.status, headers: { 'content-type': 'application/json' } })
  }
}

/** In the page: clicks each button and each title, and what is inside. Returns how many were there. */
function clickParts(): number {
  const parts = [...document.querySelectorAll<HTMLElement>('.message-button, .embed-title')]
  for (const part of parts)
    for (const each of [part, ...part.querySelectorAll<HTMLElement>('*')]) each.click()
  return parts.length
}

const hrefs = (page: EnginePage) =>
  page.evaluate<string[]>(
    "[...document.querySelectorAll('.message .content a')].map((link) => link.getAttribute('href'))",
  )

/** What clicks did: the mark of a dialog, the address of the page, and the number of its windows. */
const stateOf = async (page: EnginePage) => [
  await page.evaluate<string | null>('document.documentElement.dataset.ran ?? null'),
  await page.url(),
  await page.windows(),
]

inEveryEngine((engineTest) => {
  engineTest('a click on a link to a script in Markdown does nothing', async (engine) => {
    const chat = await openChatBackend()
    closeAfterTest(chat)
    await chat.show({ content: listOf(HOSTILE) })
    const page = await engine.open()
    await page.goto(`${chat.emulator.url}/chat`)
    await page.click('.content li strong')
    await page.evaluate(`(${String(markDialogs)})()`)
    const before = await stateOf(page)
    expect(await hrefs(page)).toEqual([])
    for (const index of HOSTILE.keys()) await page.click(`.content li:nth-child(${index + 1}) strong`)
    expect(await stateOf(page)).toEqual(before)
  })

  engineTest(
    'a click does nothing, even if the page receives such addresses as links, buttons and titles',
    async (engine) => {
      const chat = await openChatBackend()
      closeAfterTest(chat)
      const buttons = HARMLESS.map((url, index) => ({ type: 2, style: 5, url, label: `Button ${index}` }))
      const rows = [0, 5, 10].map((from) => ({ type: 1, components: buttons.slice(from, from + 5) }))
      const embeds = HARMLESS.slice(0, 10).map((url, index) => ({ title: `Title ${index}`, url }))
      await chat.show({ content: listOf(HARMLESS), embeds, components: rows })
      const page = await engine.open()
      await page.goto(`${chat.emulator.url}/chat`)
      await expect
        .poll(() => hrefs(page).then(({ length }) => length))
        .toBe(HARMLESS.length * 2 + embeds.length)
      await page.evaluate(`(${String(markDialogs)})()`)
      await page.evaluate(`(${String(receive)})(${JSON.stringify(HOSTILE)})`)
      const before = await stateOf(page)
      chat.emulator.interactions.say({ as: 'bruno', content: 'Look again' })
      await expect.poll(() => hrefs(page)).toEqual([])
      for (const index of HOSTILE.keys()) await page.click(`.content li:nth-child(${index + 1}) strong`)
      expect(await page.evaluate<number>(`(${String(clickParts)})()`)).toBeGreaterThanOrEqual(
        HOSTILE.length + embeds.length,
      )
      expect(await stateOf(page)).toEqual(before)
    },
  )
}, CONTENT_ONLY)
