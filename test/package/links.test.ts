/** READMEs of the three packages as a registry shows them: no dead link, no missing picture. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packedPage, registryManifest, registryPage } from '../../scripts/release/registry-page.mjs'
import { run } from '../support/packed-package'
import { anchors, links } from './markdown-links'
import { ROOT } from './markdown-pages'

const ADDRESS = 'https://code.example/foyer'
const PACKAGES = [
  { name: 'foyer-sdk', folder: '.' },
  { name: 'foyer-emulator', folder: 'emulator' },
  { name: 'create-foyer', folder: 'create-foyer' },
]

let released: string
beforeAll(() => {
  released = mkdtempSync(join(tmpdir(), 'foyer-release-'))
  run(process.execPath, ['scripts/release.mjs', released], ROOT)
  for (const { name } of PACKAGES) {
    const tarball = readdirSync(released).find((file) => file.startsWith(name) && file.endsWith('.tgz')) ?? ''
    run('tar', ['-xzf', tarball, `--transform=s,^package,${name},`], released)
  }
})
afterAll(() => rmSync(released, { recursive: true }))

const readme = (folder: string) => readFileSync(join(ROOT, folder, 'README.md'), 'utf8')

describe.each(PACKAGES)('the registry page of $name', ({ name, folder }) => {
  test('has no link or picture that only the repository could show', () => {
    const page = readFileSync(join(released, name, 'README.md'), 'utf8')
    expect(page).toMatch(/^# /)
    expect(links(page).filter((target) => !target.startsWith('#'))).toEqual([])
    expect(page).not.toMatch(/<(?:img|picture|source)\b/)
  })

  test('links only to pages that are in a package', () => {
    const page = readFileSync(join(released, name, 'README.md'), 'utf8')
    const named = [...page.matchAll(/\b(?:node_modules\/foyer-sdk\/)?(docs\/[\w./-]+\.md)/g)].map(
      ({ 1: path = '' }) => path,
    )
    expect(named.length > 0).toBe(name !== 'create-foyer')
    expect(named.filter((path) => !existsSync(join(released, 'foyer-sdk', path)))).toEqual([])
  })

  test('has absolute links and pictures to existing files once the repository has an address', () => {
    const page = registryPage(readme(folder), { repository: ADDRESS, folder, files: [] })
    expect(links(page).filter((target) => !target.startsWith('#'))).toEqual([])
    const targets = [
      ...page.matchAll(/https:\/\/code\.example\/foyer\/(?:blob|raw)\/main\/([^)"\s#]+)/g),
    ].map(({ 1: path = '' }) => path)
    expect(targets).toHaveLength(links(readme(folder)).filter((target) => !target.startsWith('#')).length)
    expect(targets.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test('links to the repository, its front page and its issues only once it has an address', () => {
    const manifest: object = JSON.parse(readFileSync(join(released, name, 'package.json'), 'utf8'))
    for (const field of ['repository', 'homepage', 'bugs']) expect(manifest).not.toHaveProperty(field)
    expect(registryManifest(manifest, { repository: ADDRESS, folder })).toMatchObject({
      homepage: `${ADDRESS}#readme`,
      bugs: { url: `${ADDRESS}/issues` },
      repository: { type: 'git', url: `git+${ADDRESS}.git`, ...(folder !== '.' && { directory: folder }) },
    })
  })
})

test('every link of every page in a package leads to a file of the package, and to a heading of it', () => {
  const pages = PACKAGES.flatMap(({ name }) =>
    readdirSync(join(released, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
      .map((file) => join(released, name, file)),
  )
  const dead = pages.flatMap((page) =>
    links(readFileSync(page, 'utf8')).flatMap((target) => {
      const [file = '', anchor] = target.split('#')
      const path = file === '' ? page : join(dirname(page), file)
      const isAlive =
        existsSync(path) && (anchor === undefined || anchors(readFileSync(path, 'utf8')).includes(anchor))
      return isAlive ? [] : [`${page.slice(released.length)}: ${target}`]
    }),
  )
  expect(pages.map((page) => page.slice(released.length + 1))).toContain(
    'foyer-sdk/docs/reference/foyer-sdk/server.md',
  )
  expect(pages.length).toBeGreaterThan(30)
  expect(dead).toEqual([])
})

test('a page without a repository loses its dead links and keeps the others', () => {
  const text = 'See [b](b.md#c), [d](../d.md), ![e](images/e.jpg) and [f](https://f.example).'
  const options = { page: 'docs/a.md', folder: '.', files: ['docs/b.md'] }
  expect(packedPage(text, { ...options, repository: '' })).toBe(
    'See [b](b.md#c), d,  and [f](https://f.example).',
  )
  expect(packedPage(text, { ...options, repository: ADDRESS })).toContain(
    `[d](${ADDRESS}/blob/main/d.md), ![e](${ADDRESS}/raw/main/docs/images/e.jpg)`,
  )
})

test('a link to a page outside the package becomes plain text, a link to a packed page names it, and code is unchanged', () => {
  const text =
    'A [b](c.md#d), [e](f), [`g`](h) [i](https://j.example) ![k](l.png)\n\n<img src="m.jpg" />\n\n```ts\n[n](o)\n```\n'
  const page = registryPage(text, { repository: '', folder: '.', files: ['c.md'] })
  expect(page).toBe('A b (`c.md`), e, `g` [i](https://j.example) \n\n```ts\n[n](o)\n```\n')
})
