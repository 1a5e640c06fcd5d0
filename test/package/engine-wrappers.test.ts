/** Wrappers for game engines: their syntax, and the names that their own languages share with the SDK. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import * as Foyer from 'foyer-sdk'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { CALL_PATHS, createEngine, PROPERTIES } from '../support/internals'
import { codeFromText, syntaxFault } from './script-syntax'

const read = (path: string) => readFileSync(`engines/${path}`, 'utf8')
const found = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
]

describe('the wrapper for', () => {
  test.each(['unity/Foyer.jslib', 'gamemaker/foyer.js'])('%s is ES5', (path) => {
    expect(syntaxFault(read(path), 5)).toBeUndefined()
    expect(codeFromText(read(path))).toEqual([])
  })

  test('RPG Maker MZ is ES2017, for the Chromium 85 of its desktop builds', () => {
    expect(syntaxFault(read('rpg-maker-mz/Foyer.js'), 2017)).toBeUndefined()
  })

  test('Unity imports in C# exactly the functions of the jslib, each with as many parameters', () => {
    const imported = [...read('unity/Foyer.cs').matchAll(/extern \w+ (\w+)\((.*?)\)/g)].map(
      ([, name, list = '']) => [name, count(list)],
    )
    const defined = [...read('unity/Foyer.jslib').matchAll(/^ {2}(\w+): function \((.*?)\)/gm)].map(
      ([, name, list = '']) => [name, count(list)],
    )
    expect(imported).toEqual(defined)
    expect(imported).toHaveLength(4)
  })

  test('Godot names only functions of the facade', () => {
    const engine = createEngine(Foyer)
    const names = [
      ...found(read('godot/foyer.gd'), /_engine\.call\("(\w+)"/g),
      ...found(read('godot/foyer.gd'), /_request\("(\w+)"/g),
    ]
    expect(names.toSorted()).toEqual(['call', 'callOnGesture', 'cancel', 'poll', 'call'].toSorted())
    expect(names.filter((name) => !(name in engine))).toEqual([])
  })

  test('GameMaker calls in GML exactly the functions of the extension', () => {
    const own = found(read('gamemaker/foyer.gml'), /function (foyer_\w+)/g)
    const called = found(read('gamemaker/foyer.gml'), /\b(foyer_\w+)\(/g).filter(
      (name) => !own.includes(name),
    )
    const defined = found(read('gamemaker/foyer.js'), /function (foyer_\w+)/g)
    expect(called.filter((name) => name !== 'foyer_on_event').toSorted()).toEqual(
      defined.filter((name) => name !== 'foyer_cancel').toSorted(),
    )
  })
})

test('docs/engines.md names exactly the methods that an engine may call', () => {
  const [, table = ''] =
    /<!-- methods -->([\s\S]*?)<!-- end -->/.exec(readFileSync('docs/engines.md', 'utf8')) ?? []
  const allowed = Object.entries(CALL_PATHS).flatMap(([path, [, optionsAt]]) =>
    optionsAt === false ? [] : [path],
  )
  expect(found(table, /`([\w.]+)`/g).toSorted()).toEqual(
    [...allowed, ...PROPERTIES, 'init', 'close'].toSorted(),
  )
})

test('the types of the global declare the SDK, its facade and noConflict', () => {
  const source = `/// <reference path="${process.cwd()}/dist/umd/types/foyer.d.ts" />
const id: number = Foyer.engine.call('status', '', (json) => json.length)
Foyer.engine.use(new Foyer.Client({ service: { host: 'https://service.example' } }))
const sdk = Foyer.noConflict()
sdk.engine.cancel(id)
`
  expect(faultsOf(source)).toEqual([])
  expect(faultsOf(`${source}Foyer.engine.call(1)\n`)).toHaveLength(1)
})

test.each(['const a = 1', 'var f = () => 1', 'var a = `b`', 'var a = { b() {} }'])(
  'code later than ES5 is found: %s',
  (code) => {
    expect(syntaxFault(code, 5)).toMatch('SyntaxError')
  },
)

/** Messages of the compiler for a script. */
function faultsOf(source: string): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    skipLibCheck: true,
  }
  const host = ts.createCompilerHost(options)
  const getSourceFile = host.getSourceFile.bind(host)
  host.getSourceFile = (name, ...rest) =>
    name.endsWith('page.ts')
      ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...rest)
  const program = ts.createProgram([`${process.cwd()}/page.ts`], options, host)
  const page = program.getSourceFile(`${process.cwd()}/page.ts`)
  return program
    .getSemanticDiagnostics(page)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

const count = (list: string): number => (list.trim() === '' ? 0 : list.split(',').length)
