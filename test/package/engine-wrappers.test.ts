/** Wrappers for game engines: their syntax, and the names that their own languages share with the SDK. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import * as Foyer from 'foyer-sdk'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { createEngine } from '../../src/engine/create-engine'
import { METHODS } from '../../src/engine/engine-methods'
import { codeFromText, laterThanES2017 } from './script-syntax'

const read = (path: string) => readFileSync(`engines/${path}`, 'utf8')
const found = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))]

/** Tokens and nodes that an ES5 parser refuses, in the code of a script. */
function laterThanES5(code: string): string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    const isLater =
      ts.isArrowFunction(node) ||
      ts.isTemplateLiteral(node) ||
      ts.isSpreadElement(node) ||
      ts.isForOfStatement(node) ||
      ts.isClassLike(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isShorthandPropertyAssignment(node) ||
      ts.isObjectBindingPattern(node) ||
      (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.BlockScoped) !== 0) ||
      ts.isAwaitExpression(node)
    if (isLater) names.push(node.getText())
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('script.js', code, ts.ScriptTarget.Latest, true))
  return [...names, ...laterThanES2017(code).map(({ what }) => what)]
}

describe('the wrapper for', () => {
  test.each(['unity/Foyer.jslib', 'gamemaker/foyer.js'])('%s is ES5', (path) => {
    expect(laterThanES5(read(path))).toEqual([])
    expect(codeFromText(read(path))).toEqual([])
  })

  test('RPG Maker MZ is ES2017, for the Chromium 85 of its desktop builds', () => {
    expect(laterThanES2017(read('rpg-maker-mz/Foyer.js'))).toEqual([])
  })

  test('Unity imports in C# exactly the functions of the jslib, each with as many parameters', () => {
    const imported = [...read('unity/Foyer.cs').matchAll(/extern \w+ (\w+)\((.*?)\)/g)].map(([, name, list = '']) => [name, count(list)])
    const defined = [...read('unity/Foyer.jslib').matchAll(/^ {2}(\w+): function \((.*?)\)/gm)].map(([, name, list = '']) => [
      name,
      count(list),
    ])
    expect(imported).toEqual(defined)
    expect(imported).toHaveLength(4)
  })

  test('Godot names only functions of the facade', () => {
    const engine = createEngine(Foyer)
    const names = [...found(read('godot/foyer.gd'), /_engine\.call\("(\w+)"/g), ...found(read('godot/foyer.gd'), /_request\("(\w+)"/g)]
    expect(names.toSorted()).toEqual(['call', 'callOnGesture', 'cancel', 'poll', 'call'].toSorted())
    expect(names.filter((name) => !(name in engine))).toEqual([])
  })

  test('GameMaker calls in GML exactly the functions of the extension', () => {
    const own = found(read('gamemaker/foyer.gml'), /function (foyer_\w+)/g)
    const called = found(read('gamemaker/foyer.gml'), /\b(foyer_\w+)\(/g).filter((name) => !own.includes(name))
    const defined = found(read('gamemaker/foyer.js'), /function (foyer_\w+)/g)
    expect(called.filter((name) => name !== 'foyer_on_event').toSorted()).toEqual(
      defined.filter((name) => name !== 'foyer_cancel').toSorted(),
    )
  })
})

test('docs/engines.md names exactly the methods that an engine may call', () => {
  const [, table = ''] = /<!-- methods -->([\s\S]*?)<!-- end -->/.exec(readFileSync('docs/engines.md', 'utf8')) ?? []
  const allowed = Object.entries(METHODS).flatMap(([name, at]) => (at === false ? [] : [name]))
  expect(found(table, /`(\w+)`/g).toSorted()).toEqual([...allowed, 'init', 'close'].toSorted())
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

test('code later than ES5 is found', () => {
  expect(laterThanES5('const a = 1')).not.toEqual([])
  expect(laterThanES5('var f = () => 1')).not.toEqual([])
  expect(laterThanES5('var a = `b`')).not.toEqual([])
  expect(laterThanES5('var a = { b() {} }')).not.toEqual([])
})

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
    name.endsWith('page.ts') ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest)
  const program = ts.createProgram([`${process.cwd()}/page.ts`], options, host)
  const page = program.getSourceFile(`${process.cwd()}/page.ts`)
  return program.getSemanticDiagnostics(page).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

const count = (list: string): number => (list.trim() === '' ? 0 : list.split(',').length)
