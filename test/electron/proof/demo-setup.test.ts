/** The screen "Check your setup" of the Electron demo, built as `npm run demo:electron` builds it and run on the fake Electron. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AXE_FAULTS } from '../../browser/demo-page'
import { packDemo } from '../../support/electron/demo-project'
import { missingDesktop } from '../../support/electron/desktop'
import type { Game } from '../../support/electron/running-game'
import { Sandbox } from '../../support/electron/sandbox'
import type { SandboxOptions } from '../../support/electron/sandbox-environment'
import { until } from '../../support/electron/until'
import type { PackedPackage } from '../../support/packed-package'
import { skipIfMissing } from '../../support/skip-if-missing'

const needsDesktop = skipIfMissing(missingDesktop())
let packed: PackedPackage
const sandboxes: Sandbox[] = []

beforeAll(async () => {
  packed = await packDemo()
})
afterAll(async () => {
  for (const sandbox of sandboxes) await sandbox.close()
  packed[Symbol.dispose]()
})

/** Starts the demo and opens the screen. */
async function start(options: SandboxOptions = {}) {
  const sandbox = await Sandbox.create(packed, { module: 'demo-game.mjs', schemeName: 'mygame', ...options })
  sandboxes.push(sandbox)
  const game = await sandbox.start()
  await game.page("location.hash = '#setup'")
  return { sandbox, game }
}

/** Files of the token store. */
const vaults = ({ home }: Sandbox) =>
  readdirSync(join(home, 'user-data')).filter((name) => name.startsWith('foyer-vault'))

const textOf = (game: Game, check: string) =>
  game.page<string>(`document.querySelector('#check-${check}').innerText`)

/** Presses the button of a check; resolves with the text of its panel, after the check. */
const run = (game: Game, check: string): Promise<string> =>
  game.page(`new Promise((resolve) => {
    const panel = document.querySelector('#check-${check}')
    panel.querySelector('button').click()
    const look = () => {
      if (panel.ariaBusy === 'false' && panel.querySelector('.findings, [role=alert]')) resolve(panel.innerText)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })`)

describe('the setup screen of the Electron demo', needsDesktop, () => {
  let sandbox: Sandbox
  let game: Game
  beforeAll(async () => {
    ;({ sandbox, game } = await start())
  })
  beforeEach(() => game.main('({ windows: [{ page }] }) => page.reload().then(() => undefined)'))

  test('says what to press before a check, and that it is running', async () => {
    expect(await textOf(game, 'storage')).toContain('Not checked yet. Press “Check the storage”.')
    const running = await game.page<string>(`(async () => {
      const panel = document.querySelector('#check-storage')
      panel.querySelector('button').click()
      await new Promise((resolve) => new MutationObserver(resolve).observe(panel, { subtree: true, attributes: true }))
      return panel.querySelector('[role=status]').textContent + panel.ariaBusy
    })()`)
    expect(running).toBe('Checking…true')
  })

  test('shows the key store and the file of the tokens, and leaves the tokens alone', async () => {
    const text = await run(game, 'storage')
    expect(text).toContain('6 passed, 0 warnings, 0 failed.')
    expect(text).toContain('gnome_libsecret')
    expect(text).toContain(join(sandbox.home, 'user-data/foyer-vault'))
    expect(vaults(sandbox)).toEqual([])
  })

  test('sends a link through the system, which arrives and is refused', async () => {
    // On a busy machine the system may take longer than the check waits.
    const text = await until(async () => {
      const shown = await run(game, 'link')
      return shown.includes('did not arrive') ? undefined : shown
    })
    expect(text).toContain('3 passed, 0 warnings, 0 failed.')
    expect(text).toContain('Passed: Registration. The system opens mygame: links with this app.')
    expect(text).toMatch(/The link arrived after \d+ ms\./)
    expect(text).toContain('The SDK refused the link (state_mismatch), because no sign-in waits for it.')
    expect(text).toContain(`${process.execPath} -- <link>`)
  })

  test('starts the loopback server, refuses a wrong state, accepts the right one, and closes the port', async () => {
    const text = await run(game, 'loopback')
    expect(text).toContain('4 passed, 0 warnings, 0 failed.')
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(text) ?? []
    await expect(fetch(`http://127.0.0.1:${port}/callback`)).rejects.toThrow('fetch failed')
    expect(sandbox.browser.visits()).toEqual([])
  })

  test('lists the channels and methods, and shows that strangers and frames are refused on both channels', async () => {
    const text = await run(game, 'ipc')
    expect(text).toContain('6 passed, 0 warnings, 0 failed.')
    for (const channel of ['foyer:call', 'demo:setup-check']) {
      expect(text).toContain(
        `Passed: Page of another origin, ${channel}. The call was refused (untrusted_window).`,
      )
      expect(text).toContain(
        `Passed: Frame inside a page of this origin, ${channel}. The call was refused (untrusted_window).`,
      )
      expect(text).toContain(`Passed: Page of this origin, ${channel}. The call was answered.`)
    }
    expect(text).toContain('The top frame of a window with app://demo, without tokens')
    const names = await game.page<string>("document.querySelector('#check-ipc').textContent")
    for (const name of ['foyer:cancel', 'foyer:notify', 'signIn', 'sessionChanged', 'backend.fetch'])
      expect(names).toContain(name)
  })

  test('refuses a check that does not exist, and any other argument', async () => {
    for (const name of ['"nothing"', '"constructor"', 'undefined', '{ "check": "storage" }'])
      expect(await game.page(`setupChecks.run(${name})`)).toEqual({ fault: 'unknown_check' })
  })

  test.each(['light', 'dark'])(
    'has no fault of accessibility and no sideways scrolling at 320 px, in the %s theme',
    async (colorScheme) => {
      await game.main(`async ({ windows: [{ page }] }) => {
      await page.setViewportSize({ width: 320, height: 640 })
      await page.emulateMedia({ colorScheme: '${colorScheme}' })
    }`)
      expect(await game.page(AXE_FAULTS)).toEqual([])
      for (const check of ['storage', 'link', 'loopback', 'ipc']) await run(game, check)
      await game.page("document.querySelectorAll('details').forEach((details) => (details.open = true))")
      expect(await game.page(AXE_FAULTS)).toEqual([])
      expect(await game.page('document.documentElement.scrollWidth')).toBe(320)
    },
  )

  test('is reached with the keyboard, and keeps the focus during a check', async () => {
    await game.page("location.hash = ''")
    await game.page('document.querySelector(\'a[href="#setup"]\').focus()')
    await game.main("({ windows: [{ page }] }) => page.keyboard.press('Enter')")
    await until(() => game.page<true | undefined>("document.activeElement.id === 'title-setup' || undefined"))
    expect(await game.page('document.title')).toBe('Check your setup – Foyer in Electron')
    await game.main("({ windows: [{ page }] }) => page.keyboard.press('Tab')")
    await game.main("({ windows: [{ page }] }) => page.keyboard.press('Enter')")
    await until(() =>
      game.page<true | undefined>("!!document.querySelector('#check-storage .findings') || undefined"),
    )
    expect(await game.page('document.activeElement.textContent')).toBe('Check the storage')
  })
})

describe(
  'on a machine without key store, scheme and servers the setup screen of the Electron demo',
  needsDesktop,
  () => {
    let sandbox: Sandbox
    let game: Game
    beforeAll(async () => {
      ;({ sandbox, game } = await start({ keyStore: 'basic_text', schemeName: '', browser: 'none' }))
    })

    test('explains that tokens stay in memory', async () => {
      const text = await run(game, 'storage')
      expect(text).toContain(
        'Warning: Token store. There is no key store (basic_text), so tokens stay in memory',
      )
      expect(text).toContain('Install and start GNOME Keyring or KWallet.')
      expect(vaults(sandbox)).toEqual([])
    })

    test('advises what to do if no app opens the link', async () => {
      const text = await run(game, 'link')
      expect(text).toContain('Warning: Registration.')
      expect(text).toContain('Failed: Test link. The system refused to open the link')
      expect(text).toContain('MimeType=x-scheme-handler/mygame')
    })

    test('names a firewall or a sandbox if no server can listen', async () => {
      await game.main(`() => {
      process.getBuiltinModule('node:net').Server.prototype.listen = function () {
        setImmediate(() => this.emit('error', Object.assign(new Error('listen EPERM'), { code: 'EPERM' })))
        return this
      }
    }`)
      expect(await run(game, 'loopback')).toContain(
        'Failed: Server. The system forbids servers: a firewall, or a sandbox.',
      )
    })

    test('says so if the page has no preload script', async () => {
      await game.main(`async ({ windows: [{ page }] }) => {
      await page.addInitScript("Object.defineProperty(window, 'setupChecks', { value: undefined })")
      await page.reload()
    }`)
      expect(await run(game, 'storage')).toContain('The check did not run. This page has no preload script.')
    })
  },
)
