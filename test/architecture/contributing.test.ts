/** Checks that the files and folders that CONTRIBUTING names are there: a newcomer goes by its picture, its calls and its table. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './source'

/** Where a path of the page may begin: folders of the repository, and wings of `src`. */
const IN_ROOT = /^(?:bench|demo|docs|emulator|examples|scripts|site|src|test)\//
const IN_SOURCE = /^(?:client|desktop|server|shared|tools)\//
const ENDINGS = ['', '.ts', '.tsx', '.mjs']

/** Paths in a text. One with a placeholder, as in `…-calls.ts`, is none. */
const pathsIn = (text: string): string[] =>
  (text.match(/[\w./…-]+/g) ?? [])
    .filter((word) => (IN_ROOT.test(word) || IN_SOURCE.test(word)) && !word.includes('…'))
    .map((word) => word.replace(/\.+$/, ''))

/** Paths that lead nowhere. */
const missing = (text: string): string[] =>
  pathsIn(text).filter((path) =>
    ENDINGS.every((ending) => !existsSync(join(ROOT, IN_SOURCE.test(path) ? 'src' : '', path + ending))),
  )

const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
/** Made by a build, or by a command that the page explains. */
const MADE = new Set(['emulator/dist', 'docs/reference', 'site/dist'])

test('the page names files', () => {
  expect(pathsIn(page).length).toBeGreaterThan(100)
})

test('each of them is there', () => {
  expect(missing(page).filter((path) => !MADE.has(path))).toEqual([])
})

test('a file that has moved is reported', () => {
  expect(
    missing('`client/lobbies/lobby.ts` > client/lobbies/moved > `test/architecture/moved.test.ts`'),
  ).toEqual(['client/lobbies/moved', 'test/architecture/moved.test.ts'])
})
