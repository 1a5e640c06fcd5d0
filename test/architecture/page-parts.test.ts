/** The pages of the demo and of the emulator share one kit: no component and no custom property of a style sheet exists twice. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

function read(folders: readonly string[], ending: string): Record<string, string> {
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  const shown = paths.filter((path) => path.endsWith(ending) && !path.includes('/dist/'))
  return Object.fromEntries(shown.map((path) => [path, readFileSync(path, 'utf8')]))
}

/** Returns `name: file, file` for each name that the pattern finds in more than one file. */
function inSeveral(files: Record<string, string>, pattern: RegExp): string[] {
  const places = new Map<string, Set<string>>()
  for (const [path, text] of Object.entries(files))
    for (const { 1: name = '' } of text.matchAll(pattern))
      places.set(name, (places.get(name) ?? new Set()).add(path))
  return [...places]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)
}

/** Top-level functions with a capital letter. */
const COMPONENT = /^(?:export )?(?:async )?function ([A-Z]\w*)/gm
/** Custom properties of the whole document. Those of one element, in other rules, are local. */
const GLOBAL_PROPERTY = /^ {2}(--[\w-]+):/gm
const rootRules = (text: string) =>
  [...text.matchAll(/^:root[^{]*\{[^}]*\}/gm)].map(([rule]) => rule).join('\n')
const ofRoot = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, rootRules(text)]))

const bothHave = (demo: Record<string, string>, emulator: Record<string, string>): string[] =>
  inSeveral({ demo: Object.values(demo).join('\n'), emulator: Object.values(emulator).join('\n') }, COMPONENT)

describe('pages of the demo and of the emulator', () => {
  test('have no two components of one name: what both need is in the kit', () => {
    const [demo, emulator] = [read(['demo/page'], '.tsx'), read(['emulator/src/pages'], '.tsx')]
    expect(Object.keys(demo).length).toBeGreaterThan(50)
    expect(Object.keys(emulator).length).toBeGreaterThan(30)
    expect(bothHave(demo, emulator)).toEqual([])
  })

  test('define each custom property of the document once', () => {
    const files = read(['demo', 'emulator/page'], '.css')
    expect(rootRules(files['emulator/page/tokens.css'] ?? '')).toContain('--accent:')
    expect(inSeveral(ofRoot(files), GLOBAL_PROPERTY)).toEqual([])
  })

  test('a second component or property is reported with both places', () => {
    const demo = { 'a.tsx': 'export function Panel() {}\nfunction Row() {}' }
    expect(bothHave(demo, { 'b.tsx': 'function Panel() {}', 'c.tsx': 'function row() {}' })).toEqual([
      'Panel: demo, emulator',
    ])
    const styles = {
      'a.css': ':root {\n  --ink: #000;\n}',
      'b.css': ":root[data-theme='dark'] {\n  --ink: #fff;\n}\n.bar {\n  --ink: red;\n}",
    }
    expect(inSeveral(ofRoot(styles), GLOBAL_PROPERTY)).toEqual(['--ink: a.css, b.css'])
  })
})
