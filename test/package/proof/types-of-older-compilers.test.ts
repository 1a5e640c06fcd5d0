/** The declarations, compiled by TypeScript before version 7, and by its old way to find modules. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { link, type PackedPackage } from '../../support/packed-package'
import { compile, EVERY_ENTRY, packWithTypes, TYPED_GAMES } from '../typed-games'

const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

let packed: PackedPackage
beforeAll(() => {
  packed = packWithTypes()
})
afterAll(() => packed[Symbol.dispose]())

test.each(TYPED_GAMES)('the declarations compile for $name', (game) => {
  expect(compile(TSC, packed.project, game)).toBe('')
})

test('moduleResolution node finds the types of every entry', () => {
  for (const name of ['react', '@types/react', 'vite', 'ioredis']) link(name, packed.project)
  const options = {
    module: 'CommonJS',
    moduleResolution: 'Node10',
    ignoreDeprecations: '6.0',
    types: ['node'],
    skipLibCheck: true,
  }
  expect(compile(TSC, packed.project, { file: 'entries.ts', code: EVERY_ENTRY, options })).toBe('')
})
