/** Attacks through dependencies: third-party code that would run in a game or during installation. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** All runtime dependencies of the SDK. */
const RUNTIME = ['@noble/hashes', 'eventemitter3', 'jose']

interface Locked {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
}

const read = (
  path: string,
): { dependencies?: Record<string, string>; scripts?: object; packages: Record<string, Locked> } =>
  JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const locked = read('package-lock.json').packages
const entries = Object.entries(locked).filter(([path, { link }]) => path.startsWith('node_modules/') && !link)

describe('the dependencies', () => {
  it('attack/146 of the SDK are three, each at an exact version and without dependencies', () => {
    const { dependencies = {} } = read('package.json')
    expect(Object.keys(dependencies).sort()).toEqual(RUNTIME)
    for (const [name, version] of Object.entries(dependencies)) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/)
      expect(locked[`node_modules/${name}`]).toMatchObject({ version })
      expect(locked[`node_modules/${name}`]?.dependencies).toBeUndefined()
    }
  })

  it('attack/146 of the SDK run no install scripts', () => {
    for (const name of RUNTIME) {
      expect(locked[`node_modules/${name}`]?.hasInstallScript).toBeUndefined()
      const { scripts = {} } = read(`node_modules/${name}/package.json`)
      expect(Object.keys(scripts).filter((script) => /^(?:pre|post)?install$/.test(script))).toEqual([])
    }
  })

  it('attack/146 are locked by content hash, all from the registry', () => {
    expect(entries.length).toBeGreaterThan(100)
    expect(
      entries.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-')).map(([path]) => path),
    ).toEqual([])
    const foreign = entries.filter(
      ([, { resolved }]) => resolved && !resolved.startsWith('https://registry.npmjs.org/'),
    )
    expect(foreign.map(([path]) => path)).toEqual([])
  })

  it('attack/146 of sign-in and token code are only those three', () => {
    const folders = ['client', 'shared']
    const files = folders.flatMap((folder) =>
      readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(ROOT, 'src', folder, name), 'utf8')),
    )
    const sources = files.flatMap((text) =>
      // Examples in comments import the SDK.
      [...text.replaceAll(/^ *\*.*$/gm, '').matchAll(/(?:from |import\(|import )'([^'.][^']*)'/g)].map(
        ({ 1: source = '' }) => source,
      ),
    )
    const used = new Set(
      sources.map((source) =>
        source
          .split('/')
          .slice(0, source.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
    )
    expect([...used].sort()).toEqual(RUNTIME)
  })
})
