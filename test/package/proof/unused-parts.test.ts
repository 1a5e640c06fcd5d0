/** A production build has nothing of the developer panel, the hooks and the game-engine facade if the game does not use them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { link, pack, type PackedPackage } from '../../support/packed-package'

/** Text that minification keeps, by the file that contains it. */
const PARTS = {
  'dist/tools/vite/panel/developer-panel-script.js': 'foyer-panel',
  'dist/tools/vite/developer-panel.js': '@foyer/state',
  'dist/tools/react/index.cjs': 'useSyncExternalStore',
  'dist/umd/foyer.engine.js': 'callOnGesture',
  'engines/unity/Foyer.jslib': 'FoyerNext',
  'engines/rpg-maker-mz/Foyer.js': 'registerCommand',
}
/** Modules that no game loads without an entry of their own. */
const FOREIGN =
  /foyer-sdk\/(?:engines|dist\/(?:tools\/(?:engine|react|vite)|umd|server|redis|desktop\/(?:main|preload)))\//

let packed: PackedPackage
beforeAll(() => {
  packed = pack('.')
  link('react', packed.project)
})
afterAll(() => packed[Symbol.dispose]())

/** Builds a game as \`vite build\` does, with the plugin; returns the code, and the modules of which at least one byte remains. */
async function buildGame(game: string) {
  const { project, folder } = packed
  writeFileSync(join(project, 'main.js'), game)
  writeFileSync(
    join(project, 'index.html'),
    '<!doctype html><title>Game</title><script type="module" src="/main.js"></script>',
  )
  const { foyer }: { foyer: (options: object) => Plugin[] } = await import(
    /* @vite-ignore */ pathToFileURL(join(folder, 'dist/tools/vite/index.js')).href
  )
  const result = await build({
    root: project,
    configFile: false,
    logLevel: 'silent',
    plugins: [foyer({})],
    build: { write: false },
  })
  const outputs = Array.isArray(result) ? result : [result]
  const chunks = outputs.flatMap((output) =>
    'output' in output ? output.output.filter((file) => file.type === 'chunk') : [],
  )
  const modules = chunks.flatMap(({ modules: all }) =>
    Object.entries(all).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : [])),
  )
  return { code: chunks.map(({ code }) => code).join('\n'), modules }
}

const HOST = "{ service: { host: 'https://service.example' } }"
const foundIn = (code: string) => Object.values(PARTS).filter((text) => code.includes(text))

test('a game that signs in and plays in lobbies has none of them', async () => {
  const { code, modules } = await buildGame(`import * as Foyer from 'foyer-sdk'
    const client = new Foyer.Client(${HOST})
    onclick = () => client.signIn().then(() => client.createOrJoinLobby('moon'))`)
  expect(foundIn(code)).toEqual([])
  expect(modules.filter((id) => id.includes('/foyer-sdk/'))).not.toEqual([])
  expect(modules.filter((id) => FOREIGN.test(id))).toEqual([])
})

test('a game that uses the hooks has them, and a used part is therefore found', async () => {
  const { code, modules } = await buildGame(`import { useSession } from 'foyer-sdk/react'
    globalThis.hook = useSession`)
  expect(foundIn(code)).toEqual(['useSyncExternalStore'])
  expect(modules.filter((id) => FOREIGN.test(id))).not.toEqual([])
})

test('the classic scripts have none of them, and each text is in its own file', () => {
  for (const name of ['index.umd.js', 'index.iife.js'])
    expect(foundIn(readFileSync(join(packed.folder, 'dist/umd', name), 'utf8'))).toEqual([])
  for (const [file, text] of Object.entries(PARTS))
    expect(readFileSync(join(packed.folder, file), 'utf8')).toContain(text)
})
