/** The example for electron-vite, built by the real electron-vite and run on the fake Electron. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loads } from '../package/script-syntax'
import { missingDesktop } from '../support/electron/desktop'
import { useSandbox } from '../support/electron/use-sandbox'
import { link, run } from '../support/packed-package'
import { skipIfMissing } from '../support/skip-if-missing'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const createSandbox = useSandbox()

test(
  'electron-vite: the built game signs in with the system browser, counts clicks and signs out',
  skipIfMissing(missingDesktop()),
  async () => {
    const sandbox = await createSandbox({ module: 'demo-game.mjs' })
    const { project } = sandbox.packed
    const { url, application } = sandbox.emulator
    for (const name of ['electron-vite', 'vite']) link(name, project)
    cpSync(join(ROOT, 'examples/electron-vite'), project, { recursive: true })
    run(process.execPath, [join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js'), 'build'], project)
    // A sandboxed preload script can load nothing else.
    expect(loads(readFileSync(join(project, 'out/preload/index.cjs'), 'utf8'))).toEqual(['electron'])
    writeFileSync(
      join(project, 'main-of-demo.mjs'),
      `Object.assign(process.env, ${JSON.stringify({ FOYER_HOST: url, FOYER_APPLICATION_ID: application.id })})\nawait import('./out/main/index.js')\n`,
    )
    const game = await sandbox.start()
    const shown = (id: string, text: string) =>
      game.page<string>(`new Promise((resolve) => {
      const look = () => {
        const { hidden, textContent } = document.getElementById('${id}')
        if (!hidden && textContent.includes('${text}')) resolve(textContent)
        else requestAnimationFrame(look)
      }
      look()
    })`)
    await shown('sign-in', 'Sign in')
    await game.page("document.querySelector('#sign-in').click()")
    expect(await shown('title', 'Welcome')).toBe('Welcome, Ada Quinn!')
    await shown('click', 'Click')
    await game.page("document.querySelector('#click').click()")
    expect(await shown('status', 'clicked')).toBe('ada clicked: 1 clicks')
    await game.page("document.querySelector('#sign-out').click()")
    await shown('title', 'Clicker')
  },
)
