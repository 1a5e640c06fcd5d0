/** All that a game gives to the SDK and that the SDK waits for, by the public types: each has a version that never answers in a test. */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { HANGING_PORTS } from '../support/ports-that-hang'
import { findWaitingInputs } from '../support/waiting-inputs'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROBE = `${ROOT}test/generated/probe.ts`
const ENTRIES = [
  'src/index.ts',
  'src/core.ts',
  'src/server/index.ts',
  'src/server/redis/index.ts',
  'src/tools/react/index.ts',
  'src/tools/engine/index.ts',
  'src/desktop/main/index.ts',
].map((entry) => ROOT + entry)

/** Why nothing waits for it for ever, for those without a version that never answers. */
const WITHOUT: Readonly<Record<string, RegExp>> = {
  'the SDK makes it, and a game gives it back':
    /^(Answerable|Launchable|ModalInteraction|PlayerRequests|KeyedMutex|ApplicationUsers)\./,
  'a handler of interactions, as `Handler` is': /^(DefinedModal\.run|defineModal\(handler\))$/,
  'a client of Redis, which stands behind the stores and the broker':
    /^((Http|Node)?Redis\w*|ReplaceableConnection|SetupCommands)\./,
  'the SDK does not wait for it, or passes its result on':
    /^(FoyerProvider\(props\)\.children|toNodeListener\(handler\)|watchGestures\(\)\.callOnGesture\(callback\)|OnError|NodeResponse\.\w+)$/,
  'the answer goes before it, and nobody waits for its end': /^(EventDataByType\.|EventHandlerOptions\.on\.)/,
}

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

const tested = new Set(Object.keys(HANGING_PORTS).map((name) => name.split(' ')[0]))
const isExplained = (name: string): boolean => Object.values(WITHOUT).some((names) => names.test(name))

it('every object and function that the SDK waits for has a version that never answers', () => {
  const found = findWaitingInputs(programOf(ENTRIES), ENTRIES)
  expect(found.filter((name) => !tested.has(name) && !isExplained(name))).toEqual([])
  expect([...tested].filter((name) => name !== undefined && !found.includes(name))).toEqual([])
  for (const names of Object.values(WITHOUT)) expect(found.some((name) => names.test(name))).toBe(true)
})

it('a newcomer is found wherever it is: a method, a function, a promise, in a list, behind a function', () => {
  const probe = `
    export interface Scores { read(): Promise<number>; size: number }
    export type Ask = (id: string) => number | Promise<number>
    export class Made { constructor(options: { scores: Scores; asks?: readonly Ask[]; make: () => { later: Promise<1> } }) {} own(): Promise<1> { throw 0 } }
    export const take = (given: { plain: () => void; perhaps: () => unknown; made: Pick<Made, 'own'> }): { later(listener: () => Promise<void>): void } => { throw given }
  `
  expect(findWaitingInputs(programOf([PROBE], probe), [PROBE])).toEqual([
    'Ask',
    'Made(options).make().later',
    'Scores.read',
    'take().later(listener)',
    'take(given).perhaps',
  ])
})
