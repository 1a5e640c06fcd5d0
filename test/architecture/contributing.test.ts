/** Checks what CONTRIBUTING says of the source: its files are there, and each station of a call knows the next one. A newcomer goes by both. */
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
const MADE = new Set(['emulator/dist/', 'docs/reference', 'site/dist'])

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

/** Columns of a line before its stations, for the name of the call. */
const NAME = 20

/** Pairs of stations that follow one another, from a block of calls. A call begins with its name, and goes on in lines without one. */
function pairsIn(block: string): (readonly [string, string])[] {
  const calls: string[] = []
  for (const line of block.split('\n')) {
    if (line.slice(0, NAME).trim() !== '') calls.push('')
    calls.push(`${calls.pop() ?? ''} ${line.slice(NAME)}`)
  }
  return calls.flatMap((call) => {
    const stations = call.split('>').map((part) => part.trim().split(' ')[0] ?? '')
    return stations
      .slice(1)
      .map((next, index) => [stations[index] ?? '', next] as const)
      .filter((pair) => pair.every((path) => IN_SOURCE.test(path)))
  })
}

/** Pairs whose first file imports nothing of the second one. */
const apart = (pairs: readonly (readonly [string, string])[]): (readonly [string, string])[] =>
  pairs.filter(
    ([from, to]) =>
      !readFileSync(join(ROOT, 'src', `${from}.ts`), 'utf8').includes(`/${to.split('/').at(-1)}'`),
  )

const stations = pairsIn(/^signIn {10}[^`]*/m.exec(page)?.[0] ?? '')

test('the page shows the stations of calls', () => {
  expect(stations.length).toBeGreaterThan(12)
})

test('each station of a call knows the next one', () => {
  expect(apart(stations)).toEqual([])
})

test('a station that knows nothing of the next one is reported', () => {
  const wrong = pairsIn(`a call              client/core-client > client/groups/player-parts
                    > client/lobbies/invite-link`)
  expect(apart(wrong)).toEqual([['client/groups/player-parts', 'client/lobbies/invite-link']])
})
