/** The list of the manual's pages: complete, with each page once, so that no page is missing from its sidebar and from `llms.txt`. */
import { expect, test } from 'vitest'
import { contentPolicy } from '../../site/content-policy'
import { listSections } from '../../site/contents'
import { listForAgents } from '../../site/list-for-agents'
import { manualPage, readPages, siteLink } from '../../site/manual-page'

const pages = readPages('docs')

/** Faults of the list for pages with these paths. */
function faultsOf(existing: readonly string[]): string[] {
  const listed = listSections(existing).flatMap((section) => section.pages)
  return [
    ...existing.filter((path) => !listed.includes(path)).map((path) => `${path} is not in site/contents.ts`),
    ...listed.filter((path) => !existing.includes(path)).map((path) => `${path} is listed, and not there`),
    ...listed
      .filter((path, index) => listed.indexOf(path) !== index)
      .map((path) => `${path} is listed twice`),
  ]
}

test('each page of docs has one place in the manual', () => {
  expect(pages.length).toBeGreaterThan(50)
  expect(faultsOf(pages.map(({ source }) => source))).toEqual([])
})

test('a page that nobody has listed is reported, and one that is gone', () => {
  const known = pages.map(({ source }) => source)
  expect(faultsOf([...known, 'a-new-page.md'])).toEqual(['a-new-page.md is not in site/contents.ts'])
  expect(faultsOf(known.filter((path) => path !== 'lobbies.md'))).toEqual([
    'lobbies.md is listed, and not there',
  ])
})

test('each page has a heading, and is in the list for programs', () => {
  expect(pages.filter(({ text }) => !/^# /m.test(text)).map(({ source }) => source)).toEqual([])
  const list = listForAgents(pages, ({ source }) => `docs/${source}`)
  expect(pages.filter(({ source }) => !list.includes(`](docs/${source})`))).toEqual([])
})

test('a page is described by its first sentences, as many as a line takes', () => {
  const text = `# A page\n\nOne [link](b.md). Two. X${'x'.repeat(200)}.\n\nMore.`
  expect(manualPage('a.md', text)).toMatchObject({ title: 'A page', summary: 'One link. Two.' })
  expect(manualPage('a.md', '# A page\n\n| a | table |').summary).toBe('')
})

test('a link leads to a page of the site, to the repository, or nowhere', () => {
  const options = {
    from: 'proofs/loading.md',
    isPage: (path: string) => path === 'errors.md',
    repository: '',
  }
  expect(siteLink('../errors.md#offline', options)).toBe('../errors.md#offline')
  expect(siteLink('https://a.example/', options)).toBe('https://a.example/')
  expect(siteLink('../../test/types', options)).toBeUndefined()
  const repository = 'https://code.example/foyer'
  expect(siteLink('../../test/types', { ...options, repository })).toBe(
    'https://code.example/foyer/blob/main/test/types',
  )
})

test('the content policy names each inline script by its hash, once', () => {
  const page = '<script src="a.js"></script><script>let a = 1</script>'
  const [, scripts = ''] = /script-src ([^;]*)/.exec(contentPolicy([page, page])) ?? []
  expect(scripts.split(' ')).toEqual(["'self'", expect.stringMatching(/^'sha256-[\w+/]{43}='$/)])
})
