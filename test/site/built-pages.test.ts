/** The built manual: every page is there, as a page and as Markdown, and every link has a target. */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPages } from '../../site/manual-page'
import { builtFiles, builtPages, builtPolicy, readBuilt } from '../support/built-site'

const sources = readPages('docs')
const html = new Map(builtPages().map((path) => [path, readBuilt(path)]))
const htmlOf = (path: string) => path.replace(/\.md$/, '.html')

describe('each page of docs', () => {
  test.each(sources)('$source is a page, and a link of every sidebar', ({ path }) => {
    expect(html.get(htmlOf(path))?.match(/<h1\b/g)).toHaveLength(1)
    expect(hrefs(html.get('sign-in.html') ?? '')).toContain(`/${htmlOf(path)}`)
  })

  test.each(sources)('$source can be downloaded as its own Markdown', ({ source, path }) => {
    expect(readBuilt(path)).toBe(readFileSync(`docs/${source}`, 'utf8'))
  })

  test('is in llms.txt, and each guide is in llms-full.txt', () => {
    const listed = [...readBuilt('llms.txt').matchAll(/\]\(\/([^)]+)\)/g)].map(([, path = '']) => path)
    expect(listed.toSorted()).toEqual(sources.map(({ path }) => path).toSorted())
    const guides = sources.filter(({ source }) => !source.startsWith('reference/'))
    const full = readBuilt('llms-full.txt')
    expect(guides.filter(({ text }) => !full.includes(text.trim())).map(({ source }) => source)).toEqual([])
  })
})

test('no page is there that docs does not have', () => {
  const expected = ['index.html', ...sources.map(({ path }) => htmlOf(path))]
  expect([...html.keys()]).toEqual(expected.toSorted())
})

test('every link leads to a file of the site, and to a heading or a name on its page', () => {
  const found = [...html].flatMap(([page, text]) => deadLinks(page, text))
  expect([...html.values()].flatMap(hrefs).length).toBeGreaterThan(5000)
  expect(found).toEqual([])
})

test('a link without a target is reported: a page, a heading', () => {
  const text = '<a href="/missing.html">a</a> <a href="/errors.html#missing">b</a> <a href="#missing">c</a>'
  expect(deadLinks('lobbies.html', text)).toEqual([
    'lobbies.html: /missing.html',
    'lobbies.html: /errors.html#missing',
    'lobbies.html: #missing',
  ])
})

test('the content policy allows no inline style, and inline scripts by their hash only', () => {
  expect(builtPolicy()).not.toMatch(/unsafe|https?:|\*/)
  expect([...html.values()].flatMap((text) => text.match(/ style="[^"]*"/g) ?? [])).toEqual([])
})

const files = new Set(builtFiles(''))
const hrefs = (text: string) =>
  [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, target = '']) => target.replaceAll('&amp;', '&'))

/** Links inside the site without a target, as `page: target`. */
function deadLinks(page: string, text: string): string[] {
  return hrefs(text)
    .filter((target) => !/^(?:[a-z]+:|\/\/)/.test(target))
    .filter((target) => {
      const [path = '', anchor = ''] = target.split('#')
      const file =
        path === ''
          ? page
          : posix.resolve(`/${page}`, '..', path).slice(1) + (path.endsWith('/') && path !== '/' ? '/' : '')
      const name = file === '' || file.endsWith('/') ? `${file}index.html` : file
      const isThere = files.has(name)
      return !isThere || (anchor !== '' && !idsOf(name).has(decodeURIComponent(anchor)))
    })
    .map((target) => `${page}: ${target}`)
}

function idsOf(page: string): Set<string> {
  return new Set([...(html.get(page) ?? '').matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id))
}
