/** Holds every file of the repository against the house rules, and every rule against files that break it. */
import { describe, expect, test } from 'vitest'
import { circles } from './imports'
import { display, parse, readSources } from './source'
import { styles } from './style.rules'
import { walls } from './walls.rules'

const rules = [...walls, ...styles]
const projects = {
  src: parse(readSources('src')),
  emulator: parse(readSources('emulator/src')),
  players: parse({ ...readSources('demo'), ...readSources('test/flows') }),
}

describe('the house', () => {
  test('there is something to check', () => {
    expect(projects.src.files.length).toBeGreaterThan(5)
  })

  test.each(rules)('$says', ({ check, where }) => {
    expect(check(projects[where]).map(display)).toEqual([])
  })
})

describe('the rules themselves', () => {
  const bad = rules.flatMap(({ says, check, bad: files }) => files.map(([path, text, line]) => ({ says, check, path, text, line })))
  const good = rules.flatMap(({ says, check, good: files }) => files.map(([path, text]) => ({ says, check, path, text })))

  test.each(bad)('"$says" is broken by $path: $text', ({ check, path, text, line }) => {
    const found = check(parse({ [path]: text }))
    expect(found.map((each) => `${each.file}:${each.line}`)).toContain(`${path}:${line}`)
  })

  test.each(good)('"$says" is kept by $path: $text', ({ check, path, text }) => {
    expect(check(parse({ [path]: text })).map(display)).toEqual([])
  })

  test('a circle over three files is found once and told in full', () => {
    const project = parse({
      'src/a/x.ts': "import '../b/y'",
      'src/b/y.ts': "export * from '../c/z'",
      'src/c/z.ts': "const f = () => import('../a/x')",
    })
    expect(circles(project).map(display)).toEqual(['src/c/z.ts:1 import circle: src/a/x.ts -> src/b/y.ts -> src/c/z.ts -> src/a/x.ts'])
  })
})
