/** The emulator’s package, packed and started as `npx foyer-emulator` starts it. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { link, pack, run, type PackedPackage } from '../support/packed-package'

let packed: PackedPackage
beforeAll(() => {
  packed = pack('emulator')
})
afterAll(() => packed[Symbol.dispose]())

test('the emulator package contains its build, README and LICENSE and nothing else', () => {
  const expected =
    /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|bin\/foyer-emulator\.js|dist\/.+\.(?:js|d\.ts|html|css|svg|json)|page\/[^/]+\.(?:js|css))$/
  expect(packed.files.filter((file) => !expected.test(file) || file.includes('.test.'))).toEqual([])
  const needed = ['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']
  expect(needed.filter((file) => !packed.files.includes(file))).toEqual([])
})

test('the emulator command prints its usage', () => {
  const bin = packed.manifest.bin?.['foyer-emulator']
  if (!bin) throw new Error('There is no bin.')
  expect(readFileSync(join(packed.folder, bin), 'utf8')).toMatch(/^#!\/usr\/bin\/env -S node --\n/)
  expect(run(process.execPath, [join(packed.folder, bin), '--help'], packed.project)).toContain(
    'foyer-emulator start',
  )
})

test('importing the emulator package starts nothing', () => {
  const code = "const { createEmulator } = await import('foyer-emulator'); console.log(typeof createEmulator)"
  expect(run(process.execPath, ['--input-type=module', '-e', code], packed.project).trim()).toBe('function')
})

test('the emulator’s declarations do not import the SDK, so a game with only the emulator compiles', () => {
  const naming = packed.files.filter(
    // An example in a comment may import it.
    (file) =>
      file.endsWith('.d.ts') &&
      /^(?! \*).*['"]foyer-sdk/m.test(readFileSync(join(packed.folder, file), 'utf8')),
  )
  expect(naming).toEqual([])
})

/** Compiles a game that has the emulator and the types of Node, and nothing else. Returns the output of the compiler. */
function compileGame(): string {
  const code =
    "import { createEmulator } from 'foyer-emulator'\nexport const emulator = await createEmulator({ port: 0 })\nexport const url: string = emulator.url\n"
  writeFileSync(join(packed.project, 'game.mts'), code)
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--skipLibCheck',
    'false',
    '--types',
    'node',
  ]
  return run(process.execPath, [tsc, ...flags, 'game.mts'], packed.project)
}

test('the emulator’s declarations compile in a project without other packages, with skipLibCheck off', () => {
  link('@types/node', packed.project)
  expect(compileGame()).toBe('')
})

test('the emulator’s declarations compile with types of Node that have no JsonWebKey in their crypto', () => {
  // Those of Node 26. A copy of the installed types, without this name.
  const types = join(packed.project, 'node_modules/@types/node')
  rmSync(types, { recursive: true, force: true })
  cpSync(fileURLToPath(new URL('../../node_modules/@types/node', import.meta.url)), types, {
    recursive: true,
  })
  link('undici-types', packed.project)
  const file = join(types, 'crypto.d.ts')
  const declarations = readFileSync(file, 'utf8')
  expect(declarations).toMatch(/\bJsonWebKey\b/)
  writeFileSync(file, declarations.replaceAll(/\bJsonWebKey\b/g, 'JsonWebKeyOfNode20'))
  expect(compileGame()).toBe('')
})
