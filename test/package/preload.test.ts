/** A game’s own preload script, bundled with the SDK’s as described in docs/electron.md. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { pack } from '../support/packed-package'
import { loads } from './script-syntax'

test('a bundler keeps a preload script that is only imported, and writes one file that loads only Electron', async () => {
  using packed = pack('.')
  const entry = join(packed.project, 'preload.js')
  writeFileSync(entry, "import 'foyer-sdk/electron/preload'\nglobalThis.mine = true\n")
  const result = await build({
    root: packed.project,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      lib: { entry, formats: ['cjs'] },
      rolldownOptions: { external: ['electron'] },
    },
  })
  const files = (Array.isArray(result) ? result : [result]).flatMap((output) =>
    'output' in output ? output.output : [],
  )
  const [script] = files.map((file) => ('code' in file ? file.code : ''))
  expect(files).toHaveLength(1)
  expect(script).toContain('exposeInMainWorld')
  expect(loads(script ?? '')).toEqual(['electron'])
})
