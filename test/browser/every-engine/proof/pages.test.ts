/** The pages of the emulator and the demo, in every engine. */
import { afterAll, expect, onTestFinished } from 'vitest'
import { createEmulator } from 'foyer-emulator'
import { serveBackend } from '../../../emulator/support/backend'
import type { EnginePage } from '../../../support/engines/engine'
import { CONTENT_ONLY, closeAfterTest, inEveryEngine } from '../../../support/engines/in-every-engine'
import { selectScreens } from '../../../support/screens'
import { measureLook } from '../../../support/screens/measure-screen'
import { openWorld, type OpenWorld } from '../../../support/screens/open-world'
import { AXE_FAULTS } from '../../demo-page'
import { type Demo, startBuiltDemo, stopDemo } from '../../demo-process'

const WRITING = '[role=combobox]'

/** Started with the first test that needs it. */
let demo: Promise<Demo> | undefined
let world: Promise<OpenWorld> | undefined
afterAll(async () => {
  if (demo) await stopDemo(await demo)
  await (await world)?.close()
})

const SCREENS = ['player', 'exchange', 'token', 'lobby', 'commands', 'doctor', 'service']

/** Screens whose controls engines draw themselves: meters, lists, dialogs, fields of files and plots. */
const DRAWN = [
  'settings',
  'sign-in-scheme',
  'lobby-list',
  'limits',
  'inspector',
  'inspector-faults',
  'chat-silent',
  'activity',
]

/** WebKit forgets the click while the page reads the configuration of the issuer, so the page has a button for a second one. */
async function openOtherSignIn(page: EnginePage): Promise<EnginePage> {
  const button = '#with-oauth4webapi'
  if (/Chrome|Firefox/.test(await page.evaluate('navigator.userAgent'))) return page.popupAfter(button)
  await page.click(button)
  await expect.poll(() => page.evaluate("document.querySelector('#open-window').hidden")).toBe(false)
  return page.popupAfter('#open-window')
}

inEveryEngine((engineTest) => {
  engineTest('a player uses a command on the chat page', async (engine) => {
    const emulator = await createEmulator({ commands: { globalDelay: 0 } })
    closeAfterTest(emulator)
    const backend = await serveBackend(emulator, ({ data }) => ({
      type: 4,
      data: { content: `${data.name} it is` },
    }))
    closeAfterTest(backend)
    await emulator.interactions.connect(backend.url)
    const { status } = await fetch(
      `${emulator.url}/api/v10/applications/${emulator.application.id}/commands`,
      {
        method: 'POST',
        headers: {
          authorization: `Bot ${emulator.application.botToken}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ name: 'greet', description: 'Say hello' }),
      },
    )
    expect(status).toBe(201)
    const page = await engine.open()
    await page.goto(`${emulator.url}/chat`)
    await page.type(WRITING, '/greet')
    await expect
      .poll(() => page.evaluate("document.querySelector('#commands .name')?.textContent"))
      .toContain('greet')
    await page.type(WRITING, '\n')
    await page.press('Send')
    await expect.poll(() => page.evaluate('document.body.textContent.includes("greet it is")')).toBe(true)
    expect(await page.evaluate(AXE_FAULTS)).toEqual([])
  })

  engineTest('a tester sees a refused request in the inspector, and its details', async (engine) => {
    const emulator = await createEmulator()
    closeAfterTest(emulator)
    const page = await engine.open()
    await page.goto(`${emulator.url}/inspector#${emulator.controlToken}`)
    await expect
      .poll(() => page.evaluate("document.querySelector('#panel-clock-title')?.textContent"))
      .toBe('Clock')
    await fetch(`${emulator.url}/api/v10/users/@me`, { headers: { authorization: 'Bearer wrong' } })
    await expect
      .poll(() => page.evaluate("document.querySelector('.virtual .refused')?.textContent"))
      .toContain('Refused: ')
    await page.evaluate("document.querySelector('.virtual .refused').click()")
    await expect
      .poll(() => page.evaluate("document.querySelector('.details dl')?.textContent"))
      .toContain('Refused by the rule')
    expect(await page.evaluate(AXE_FAULTS)).toEqual([])
  })

  engineTest('a player signs in to the demo', async (engine) => {
    demo ??= startBuiltDemo('--port', '0')
    const page = await engine.open()
    await page.goto((await demo).url)
    await expect.poll(() => page.evaluate("!!document.querySelector('main:not([aria-busy])')")).toBe(true)
    const popup = await page.popupAfter('#sign-in-button')
    await popup.press('Ada')
    await popup.press('Approve')
    await expect
      .poll(() => page.evaluate("document.querySelector('.player-name')?.textContent"))
      .toContain('Ada')
    await expect.poll(() => page.windows()).toBe(1)
  })

  for (const screen of SCREENS) {
    engineTest(
      `the screen ${screen} of the demo has an address, and no fault of axe-core`,
      async (engine) => {
        demo ??= startBuiltDemo('--port', '0')
        const page = await engine.open()
        await page.goto(`${(await demo).url}#${screen}`)
        await expect.poll(() => page.evaluate("!!document.querySelector('main:not([aria-busy])')")).toBe(true)
        expect(await page.evaluate(`document.querySelector('#screen-${screen}').hidden`)).toBe(false)
        expect(await page.evaluate("document.querySelectorAll('.screen:not([hidden])').length")).toBe(1)
        expect(await page.evaluate(AXE_FAULTS)).toEqual([])
      },
    )
  }

  engineTest(
    'the back button returns to a screen of the demo, where a second library signs in beside Foyer',
    async (engine) => {
      demo ??= startBuiltDemo('--port', '0')
      const page = await engine.open()
      await page.goto(`${(await demo).url}#service`)
      await expect.poll(() => page.evaluate("!!document.querySelector('main:not([aria-busy])')")).toBe(true)
      await page.click('#to-doctor')
      await page.back()
      await expect.poll(() => page.evaluate("document.querySelector('#screen-service').hidden")).toBe(false)
      const popup = await openOtherSignIn(page)
      await popup.press('Ada')
      await popup.press('Approve')
      await expect
        .poll(() => page.evaluate("document.querySelector('#comparison table')?.textContent"))
        .toContain('175928847299117063')
      await expect.poll(() => page.windows()).toBe(1)
    },
  )

  for (const { name, open } of selectScreens(DRAWN)) {
    engineTest(
      `the screen ${name} has no fault on a narrow window, in the dark, with a large font`,
      async (engine) => {
        const opened = await (world ??= openWorld())
        onTestFinished(() => opened.reset())
        const page = await engine.open()
        await open(page, opened)
        expect(await measureLook(page, { width: 320, theme: 'dark', font: '200%' })).toEqual([])
      },
    )
  }
}, CONTENT_ONLY)
