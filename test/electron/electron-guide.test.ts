/** Runs the main process of docs/electron.md on the fake Electron, unchanged except for the service. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { missingDesktop } from '../support/electron/desktop'
import { pagesOf } from '../support/electron/served-page'
import { useSandbox } from '../support/electron/use-sandbox'
import { skipIfMissing } from '../support/skip-if-missing'

const createSandbox = useSandbox()

/** The first listing of the guide. */
function listing(): string {
  const guide = readFileSync(new URL('../../docs/electron.md', import.meta.url), 'utf8')
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? []
  return code
}

test(
  'the main process of the Electron guide signs a player in from a page with a custom protocol',
  skipIfMissing(missingDesktop()),
  async () => {
    const sandbox = await createSandbox({ module: 'demo-game.mjs' })
    const { url, application } = sandbox.emulator
    const folder = join(sandbox.packed.project, 'page')
    mkdirSync(folder, { recursive: true })
    for (const [name, [, body]] of Object.entries(pagesOf(sandbox.packed)))
      writeFileSync(join(folder, name === '/' ? 'index.html' : name), body)
    writeFileSync(
      join(sandbox.packed.project, 'main-of-demo.mjs'),
      listing().replace('1287654321098765433', application.id).replace('https://service.example', url),
    )
    const game = await sandbox.start()
    expect(await game.page('signIn()')).toEqual({ userId: expect.stringMatching(/^\d+$/) })
    expect(await game.page("fetch('/../game.js').then(({ status }) => status)")).toBe(200)
    expect(await game.page("fetch('/..%2fmain-of-demo.mjs').then(({ status }) => status)")).toBe(404)
    expect(await game.page("fetch('/%2e%2e%2fmain-of-demo.mjs').then(({ status }) => status)")).toBe(404)
  },
)
