/** The generated API reference: complete, and with links that lead somewhere. */
import { posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { link, pack, type PackedPackage } from '../support/packed-package'
import { type ApiReference, generateReference } from './generate-reference'
import { exportsOf } from './list-exports'
import { anchors, links } from './markdown-links'

let reference: ApiReference
let packed: PackedPackage
beforeAll(() => {
  reference = generateReference()
  packed = pack('.')
  link('foyer-emulator', packed.project)
})
afterAll(() => packed[Symbol.dispose]())

test('every export and every member of every entry has a doc comment', () => {
  expect(reference.output).toContain('markdown generated')
  // Fields of anonymous and mapped types have no declaration.
  const missing = reference.output
    .match(/^.*(?:does not have any documentation|Failed to resolve link).*$/gm)
    ?.filter((line) => !line.includes('__type') && !line.includes('defined in foyer-sdk/,'))
  expect(missing ?? []).toEqual([])
})

test('the first page lists a page of every entry', () => {
  const listed = links(reference.pages['README.md'] ?? '')
  expect(listed).toContain('foyer-sdk.md')
  expect(listed.toSorted()).toEqual(
    Object.keys(reference.pages)
      .filter((page) => page !== 'README.md')
      .toSorted(),
  )
})

test('every link leads to a generated page, and to a heading or a name on it', () => {
  expect(Object.values(reference.pages).flatMap(links).length).toBeGreaterThan(500)
  expect(deadLinks(reference.pages)).toEqual([])
})

test('a link to a missing page or name is reported', () => {
  const pages = {
    'a.md': '# A\n[b](b/c.md#one) [no](b/c.md#two) [x](d.md)',
    'b/c.md': '<a id="one"></a> [a](../a.md#a) [d](../d.md)',
  }
  expect(deadLinks(pages)).toEqual(['a.md: b/c.md#two', 'a.md: d.md', 'b/c.md: ../d.md'])
})

/** Links between pages without a target, as `page: target`. */
function deadLinks(pages: ApiReference['pages']): string[] {
  const isDead = (page: string, target: string) => {
    const [file = '', anchor] = target.split('#')
    const text = pages[file === '' ? page : posix.join(posix.dirname(page), file)]
    return text === undefined || (anchor !== undefined && !anchors(text).includes(anchor))
  }
  return Object.entries(pages).flatMap(([page, text]) =>
    links(text)
      .filter((target) => isDead(page, target))
      .map((target) => `${page}: ${target}`),
  )
}

/** Exports without a section on the entry’s page of the API reference. */
const missing = (names: readonly string[], page: string) =>
  names.filter((name) => !new RegExp(`^### .*\\b${name}\\b`, 'm').test(page))
const pageOf = (entry: string) => (reference.pages[`${entry}.md`] ?? '').replaceAll('\\', '')

describe('every export', () => {
  test.each([
    'foyer-sdk',
    'foyer-sdk/server',
    'foyer-sdk/redis',
    'foyer-sdk/workers',
    'foyer-sdk/store-tests',
    'foyer-sdk/engine',
    'foyer-sdk/react',
    'foyer-sdk/vite',
    'foyer-sdk/electron/main',
    'foyer-sdk/electron/checks',
    'foyer-emulator',
  ])('of %s has a section', (entry) => {
    const names = exportsOf(entry, packed.project)
    expect(names).not.toEqual([])
    expect(missing(names, pageOf(entry))).toEqual([])
  })

  test('without a section is reported', () => {
    expect(exportsOf('foyer-sdk', packed.project)).toContain('AuthorizationArgs')
    expect(missing(['Client', 'ClientOfNobody'], '### Client\n')).toEqual(['ClientOfNobody'])
  })
})
