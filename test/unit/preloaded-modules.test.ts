/** The modules by which the Vite plugin recognizes a page that resumes a session: the tables follow the source. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as sdk from '../../src/index'
import { RESUME_MODULES, STORE_MODULES } from '../support/internals'

/** Modules below `src` by the names that the package exports from them. */
const EXPORTED = new Map(
  [...readFileSync('src/index.ts', 'utf8').matchAll(/^export \{([^}]*)\} from '\.\/([^']+)'$/gm)].flatMap(
    ([, names = '', module = '']) => names.split(',').map((name) => [name.trim(), module] as const),
  ),
)

describe('the Vite plugin', () => {
  test.each([...RESUME_MODULES, ...STORE_MODULES])('finds %s in the build', (module) => {
    expect(existsSync(`src/${module}.ts`)).toBe(true)
  })

  test('knows every store of a page', () => {
    const stores = Object.keys(sdk).filter((name) => name.endsWith('Store') && name !== 'memoryStore')
    expect(new Set(stores.map((name) => EXPORTED.get(name)))).toEqual(new Set(STORE_MODULES))
  })
})
