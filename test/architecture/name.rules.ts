/** Table of the rules for names, each with examples that break it and examples that comply. */
import { constantNames } from './constants'
import type { Rule } from './import.rules'
import { fewWords, namedAfterExport } from './names'

export const nameRules: readonly Rule[] = [
  {
    title: 'most files have the name of an export',
    check: namedAfterExport,
    scope: 'named',
    bad: [['src/a/read-lobby.ts', 'export interface Lobby {}; const readLobby = 1', 1]],
    good: [
      ['src/a/read-lobby.ts', 'export const other = 1; export function readLobby() {}'],
      ['src/a/read-lobby.ts', "export { readLobby } from './lobby'"],
    ],
  },
  {
    title: 'the name of a file has one subject and at most three words',
    check: fewWords,
    scope: 'named',
    bad: [
      ['src/a/name-and-size.ts', '', 1],
      ['src/a/one-two-three-four.ts', '', 1],
    ],
    good: [
      ['src/a/band-of-brands.ts', ''],
      ['src/a/one-two-three.ts', ''],
    ],
  },
  {
    title: 'constants are in capitals',
    check: constantNames,
    scope: 'programs',
    bad: [
      ['src/client/a.ts', 'const limit = 60 * 1000', 1],
      ['src/client/a.ts', 'export const limit = -1', 1],
      ['src/client/a.ts', "const hint = 'Ask again.'", 1],
      ['src/client/a.ts', 'const format = /^a$/', 1],
      ['src/client/a.ts', 'const mask = 1n << 4n', 1],
      ['src/client/a.ts', 'const everything = String(READ | WRITE)', 1],
      ['src/client/a.ts', 'const path = `${ROOT}/a`', 1],
      ['src/client/a.ts', "const names = ['a', OTHER] as const", 1],
      ['src/client/a.ts', 'export const limits: Limits = { a: { size: 1 }, ...OTHERS }', 1],
      ['src/client/a.ts', "const kinds = new Set(['a'])", 1],
      ['src/client/a.ts', 'const table = { read: readLobby, write }', 1],
      ['src/client/a.ts', "const notUrl = invalid('URL', 'Not a URL')", 1],
    ],
    good: [
      ['src/client/a.ts', "const MOST_NAMES = 1, HINT = 'a', FORMAT = /a/, NAMES = ['a'], A = { a: 1 }"],
      ['src/client/a.ts', 'export const CommandType = { chatInput: 1 } as const'],
      ['src/client/a.ts', 'export const CommandType = Object.freeze({ chatInput: 1 })'],
      ['src/client/a.ts', 'const read = () => 1'],
      ['src/client/a.ts', 'const queue: string[] = []'],
      ['src/client/a.ts', 'const cache = new Map()'],
      ['src/client/a.ts', 'const encoder = new TextEncoder()'],
      ['src/client/a.ts', 'const clock = { now: () => 0 }'],
      ['src/client/a.ts', "const page = document.querySelector('main')"],
      ['src/client/a.ts', 'let count = 0'],
      ['src/client/a.ts', 'export const f = () => { const count = 1; return count }'],
      ['src/client/a.ts', 'const isReady = state === 1'],
    ],
  },
]
