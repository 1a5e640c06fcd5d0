/** Options of type `T | undefined` compile under `exactOptionalPropertyTypes`, as those read from the environment of a build are. */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { findStrictOptions } from './optional-properties'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROBE = `${ROOT}test/generated/probe.ts`
const ENTRIES = [
  'src/index.ts',
  'src/core.ts',
  'src/server/index.ts',
  'src/server/redis/index.ts',
  'src/tools/react/index.ts',
  'src/tools/engine/index.ts',
  'src/tools/vite/index.ts',
  'src/desktop/main/index.ts',
  'src/desktop/checks/index.ts',
  'src/desktop/preload/index.ts',
  'emulator/src/index.ts',
].map((entry) => ROOT + entry)

function programOf(files: readonly string[], probe = ''): ts.Program {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)
  const host = ts.createCompilerHost(options)
  const plain = ts.createCompilerHost(options)
  host.getSourceFile = (name, target) =>
    name === PROBE ? ts.createSourceFile(name, probe, target, true) : plain.getSourceFile(name, target)
  host.fileExists = (name) => name === PROBE || plain.fileExists(name)
  return ts.createProgram(files, options, host)
}

it('every option of every entry may be undefined', () => {
  expect(findStrictOptions(programOf(ENTRIES), ENTRIES)).toEqual([])
})

it('an option that may not be undefined is found wherever it is', () => {
  const probe = `
    interface Strict { a?: string; b?: string | undefined; c: { d?: number }[]; e: Partial<{ f: 1; g: undefined }> }
    export function take(options: Strict): void {}
    export class Made { constructor(readonly options: { h?: 1 }) {} call(i: { j?: () => { result?: 1 } }): Promise<{ k?: 1; later(l: { m?: 1 }): void }> { throw i } }
    export type OwnOptions = { n?: 1 }
    export const init = (o: Omit<RequestInit, 'body'>, p: RequestInit & { q?: 1 }): void => {}
  `
  const found = findStrictOptions(programOf([PROBE], probe), [PROBE])
  const own = found.filter((path) => !path.startsWith('init(o)'))
  expect(own).toEqual([
    'take(options).a',
    'take(options).c.d',
    'take(options).e.f',
    'Made(options).h',
    'Made().call(i).j',
    'Made().call().later(l).m',
    'OwnOptions.n',
    'init(p).q',
  ])
  expect(found).toContain('init(o).signal')
})
