/** Holds the names of constants in every program of the repository. */
import { describe, expect, test } from 'vitest'
import { constantNames } from './constants'
import { display, parse, readSources } from './source'

const FOLDERS = ['src', 'emulator/src', 'demo', 'scripts', 'bench']

test.each(FOLDERS)('constants of %s are in capitals', (folder) => {
  const project = parse(readSources(folder))
  expect(project.files.length).toBeGreaterThan(0)
  expect(constantNames(project).map(display)).toEqual([])
})

describe('the rule for constants', () => {
  test.each([
    'const limit = 60 * 1000',
    'export const limit = -1',
    "const hint = 'Ask again.'",
    'const format = /^a$/',
    'const mask = 1n << 4n',
    'const everything = String(READ | WRITE)',
    'const path = `${ROOT}/a`',
    "const names = ['a', OTHER] as const",
    'export const limits: Limits = { a: { size: 1 }, ...OTHERS }',
    "const kinds = new Set(['a'])",
    'const table = { read: readLobby, write }',
    "const notUrl = invalid('URL', 'Not a URL')",
  ])('rejects %s', (text) => {
    expect(constantNames(parse({ 'src/client/a.ts': text })).map(({ line }) => line)).toEqual([1])
  })

  test.each([
    "const MOST_NAMES = 1, HINT = 'a', FORMAT = /a/, NAMES = ['a'], A = { a: 1 }",
    'export const CommandType = { chatInput: 1 } as const',
    'export const CommandType = Object.freeze({ chatInput: 1 })',
    'const read = () => 1',
    'const queue: string[] = []',
    'const cache = new Map()',
    'const encoder = new TextEncoder()',
    'const clock = { now: () => 0 }',
    "const page = document.querySelector('main')",
    'let count = 0',
    'export const f = () => { const count = 1; return count }',
    'const isReady = state === 1',
  ])('accepts %s', (text) => {
    expect(constantNames(parse({ 'src/client/a.ts': text })).map(display)).toEqual([])
  })
})
