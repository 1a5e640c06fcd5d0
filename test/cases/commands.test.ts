/** Every decided case of command validation, and every open one as recommended: verdict, path and level. */
import { describe, expect, test } from 'vitest'
import { check, isLobby, read, sdkPath, type DecidedCase, type OpenCase } from './cases'
import { EDGES, TOO_MANY_LOCALES } from './edges'

const allDecided: readonly DecidedCase[] = JSON.parse(read('commands'))
const allOpen: readonly OpenCase[] = JSON.parse(read('ambiguous'))
const decided = allDecided.filter((each) => !isLobby(each) && each.path !== '$headers.authorization')
const open = allOpen.filter((each) => !isLobby(each))
const paths = (issues: ReturnType<typeof check>, level: string) =>
  issues.filter((issue) => issue.level === level).map(({ path }) => path)

describe('the decided command cases', () => {
  test('are complete', () => {
    expect(decided.length).toBe(221)
  })

  test.each(decided)('include $id: $expect because $why', (each) => {
    expect(paths(check(each), 'error')).toEqual(each.path === null ? [] : [sdkPath(each.path)])
  })
})

describe('the open command cases', () => {
  test('are complete', () => {
    expect(open.length).toBe(90)
  })

  test.each(open)('include $id: $recommended for $open_question', (each) => {
    const issues = check(each)
    const levels = new Set(issues.map(({ level }) => level))
    expect(levels.has('error')).toBe(each.recommended === 'reject')
    expect(levels.has('warning') || each.recommended !== 'warn').toBe(true)
  })
})

describe('the edge cases of command validation', () => {
  test.each(EDGES)('include $id: $endpoint $body', (each) => {
    const known = each.endpoint.startsWith('PATCH') ? { ...each, knownType: 1 } : each
    expect([...new Set(paths(check(known), 'error'))].toSorted()).toEqual([...each.paths].toSorted())
  })
})

test('translations into 35 locales are refused', () => {
  const one = {
    endpoint: 'POST global command',
    body: TOO_MANY_LOCALES,
    id: '35',
    expect: 'reject',
    why: '',
  } as const
  expect(paths(check(one), 'error')).toEqual(["name_localizations['sr']"])
})
