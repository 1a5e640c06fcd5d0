/** The declarations, compiled by projects that use them. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PackedPackage } from '../support/packed-package'
import { compile, packWithTypes, TYPED_GAMES } from './typed-games'

const TSC = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url))

let packed: PackedPackage
beforeAll(() => {
  packed = packWithTypes()
})
afterAll(() => packed[Symbol.dispose]())

test.each(TYPED_GAMES)('the declarations compile for $name', (game) => {
  expect(compile(TSC, packed.project, game)).toBe('')
})

test('a wrong call does not compile', () => {
  const code = "import { Client } from 'foyer-sdk'\nnew Client({ applicationId: 1 })\n"
  expect(() =>
    compile(TSC, packed.project, { file: 'game.mts', code, options: { module: 'NodeNext' } }),
  ).toThrow(/TS2741|TS2322/)
})
