/** Types of error codes in a game that compares them, and the entry of each code in docs/errors.md. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { REMEDIES } from '../support/internals'
import { beforeAll, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FILE = `${ROOT}test/types/probe.ts`

const LINES = [
  "import { ApiError, type ErrorCode, FoyerError, RateLimitError, SessionError } from '../../src/index'",
  "import { InteractionError } from '../../src/server/index'",
  'declare const error: unknown; declare const code: ErrorCode',
  "if (error instanceof FoyerError && error.code === 'popup_blocked') throw error",
  "if (error instanceof FoyerError && error.code === 'popup_bloked') throw error",
  "if (error instanceof FoyerError) switch (error.code) { case 'acces_denied': throw error }",
  "if (error instanceof SessionError && error.code === 'popup_blocked') throw error",
  "if (error instanceof ApiError && (error.code === 'http_418' || error.code === 'unknown_lobby')) throw error",
  "if (error instanceof ApiError && error.code === 'unknown_loby') throw error",
  "if (error instanceof RateLimitError && error.code === 'rate_limit') throw error",
  "if (error instanceof InteractionError && error.code === 'bad_signatur') throw error",
  "if (error instanceof FoyerError && error.code === 'bad_signature') throw error",
  'if (error instanceof FoyerError) { const n: number = error.code; console.log(n, code) }',
]

let broken: number[]
let codes: string[]

beforeAll(() => {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const plain = ts.createCompilerHost(options)
  const text = LINES.join('\n')
  host.getSourceFile = (name, target) =>
    name === FILE ? ts.createSourceFile(name, text, target, true) : plain.getSourceFile(name, target)
  host.fileExists = (name) => name === FILE || plain.fileExists(name)
  const program = ts.createProgram([FILE], options, host)
  const source = program.getSourceFile(FILE)
  if (!source) throw new Error('The probe is not part of the program.')
  broken = program
    .getSemanticDiagnostics(source)
    .map(({ file, start = 0 }) => (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1)
    .filter((line, index, all) => all.indexOf(line) === index)
  const checker = program.getTypeChecker()
  const symbol = checker
    .getSymbolsInScope(source, ts.SymbolFlags.Alias)
    .find(({ name }) => name === 'ErrorCode')
  if (!symbol) throw new Error('ErrorCode is not exported.')
  const union = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(symbol))
  codes = (union.isUnion() ? union.types : []).map((type) =>
    type.isStringLiteral() ? type.value : 'http_status',
  )
})

it('instanceof narrows `code` to the codes of the class and accepts no other', () => {
  expect(broken).toEqual([5, 6, 7, 9, 10, 11, 13])
})

it('every remedy belongs to an existing code', () => {
  expect(Object.keys(REMEDIES).filter((code) => !codes.includes(code))).toEqual([])
})

it('docs/errors.md has an entry for every code', () => {
  const manual = readFileSync(`${ROOT}docs/errors.md`, 'utf8')
  const anchors = new Set(
    [...manual.matchAll(/^#+ `?(\w+)`?$|<a id="(\w+)"><\/a>/gm)].map(([, heading, id]) => heading ?? id),
  )
  expect(codes.length).toBeGreaterThan(100)
  expect(codes.filter((code) => !anchors.has(code))).toEqual([])
})
