/** Configuration of VitePress. The pages are copies of `docs` that `stage-pages.ts` makes. */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { transformerStyleToClass } from '@shikijs/transformers'
import { REPOSITORY as ADDRESS } from '../../scripts/release/repository.mjs'
import { listSections } from '../contents'
import { readPages, siteLink, sourcePath } from '../manual-page'

const inRepository = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const DOCS = process.env.FOYER_SITE_DOCS ?? inRepository('docs')
/** @type {string} Empty until the repository is public. */
const REPOSITORY = ADDRESS
const SEARCH_INDEX = inRepository('site/.vitepress/theme/search-index.mjs')
const VERSION = JSON.parse(readFileSync(inRepository('package.json'), 'utf8')).version
const BASE = process.env.FOYER_SITE_BASE ?? '/'
const pages = new Map(readPages(DOCS).map((page) => [page.source, page]))
/** A content policy without `unsafe-inline` forbids style attributes, so the colors of code become classes. */
const colors = transformerStyleToClass({ classPrefix: 'code-' })

export default {
  title: 'Foyer',
  description: 'Sign-in, lobbies and chat for web and Electron games.',
  lang: 'en',
  base: BASE,
  srcDir: process.env.FOYER_SITE_STAGED ?? '.cache/pages',
  outDir: 'dist',
  cacheDir: '.cache/vitepress',
  // A script of its own instead of an inline one that every change of a page would change.
  metaChunk: true,
  // Otherwise a change of the theme adds a style element, which the content policy forbids.
  appearance: { disableTransition: false },
  // By default VitePress gives the content a style attribute, which the content policy forbids.
  contentProps: { class: 'page-text' },
  head: [
    ['link', { rel: 'stylesheet', href: `${BASE}code-colors.css` }],
    ['link', { rel: 'icon', href: `${BASE}icon.svg`, type: 'image/svg+xml' }],
  ],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: githubAnchor },
    codeTransformers: [colors],
    config: (markdown) => markdown.use(linksOfSite).use(alignByClass).use(emptyHeadings),
  },
  themeConfig: {
    siteTitle: `Foyer ${VERSION}`,
    outline: [2, 3],
    notFound: {
      title: 'There is no such page',
      quote: 'It may have another name now. Search for a word, or begin at the start page.',
      linkText: 'Start page',
      linkLabel: 'Start page',
    },
    search: {
      provider: 'local',
      options: { _render: textForSearch },
    },
    sidebar: listSections([...pages.keys()]).map(({ title, pages: listed }) => ({
      text: title,
      items: listed
        .filter((source) => pages.has(source))
        .map((source) => ({
          text: asText(pages.get(source).title),
          link: `/${pages.get(source).path.replace(/\.md$/, '')}`,
        })),
    })),
    ...(REPOSITORY !== '' && {
      editLink: { text: 'Edit', pattern: `${REPOSITORY}/edit/main/docs/:path` },
    }),
  },
  // The search box of VitePress looks for words, and this index for what they mean.
  vite: { resolve: { alias: [{ find: /^minisearch$/, replacement: SEARCH_INDEX }] } },
  transformPageData: (page) => ({ filePath: sourcePath(page.filePath) }),
  // VitePress sets this custom property again when the page runs.
  transformHtml: (html) => html.replaceAll(/ style="--vp-vh:0px;"/g, ''),
  buildEnd: ({ outDir }) => {
    writeFileSync(join(outDir, 'code-colors.css'), colors.getCSS())
    copyFileSync(inRepository('demo/icon.svg'), join(outDir, 'icon.svg'))
  },
}

/** The theme takes the names of pages for markup. */
function asText(title) {
  return title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '')
}

/** Guides come first in a search: lists of facts are found by their headings only, and the reference by its exports. */
function textForSearch(source, env, markdown) {
  const html = markdown.render(source, env)
  if (!/^(?:reference|interface|proofs|decisions)\//.test(env.relativePath)) return html
  return html
    .replaceAll(/<h[4-6]\b.*?<\/h[4-6]>/gs, '')
    .replaceAll(/(<\/h[1-3]>)(?:(?!<h[1-3]\b).)*/gs, '$1 ')
}

/** Headings have the anchors that links in `docs` use. */
function githubAnchor(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

const isLinked = (source) => pages.has(source) || existsSync(join(DOCS, source))

/** Points links to the site's pages. A link to a file of the repository leads to its address, and is plain text without one. */
function linksOfSite(markdown) {
  markdown.core.ruler.push('links-of-site', ({ tokens, env }) => {
    const from = sourcePath(env.relativePath ?? '')
    for (const { children } of tokens)
      for (const [index, token] of (children ?? []).entries()) {
        const href = token.type === 'link_open' && token.attrGet('href')
        if (!href) continue
        const target = siteLink(decodeURI(href), { from, isPage: isLinked, repository: REPOSITORY })
        if (target === undefined) unlink(children, index)
        else token.attrSet('href', target)
      }
  })
}

function unlink(children, index) {
  const end = children.findIndex((token, position) => position > index && token.type === 'link_close')
  for (const token of [children[index], children[end]])
    Object.assign(token, { type: 'text', tag: '', content: '', attrs: null, nesting: 0 })
}

/** Markdown aligns the cells of tables with style attributes, which the content policy forbids. */
function alignByClass(markdown) {
  markdown.core.ruler.push('align-by-class', ({ tokens }) => {
    for (const token of tokens) {
      const align = /^text-align:(\w+)$/.exec(token.attrGet?.('style') ?? '')?.[1]
      if (!align) continue
      token.attrs = token.attrs.filter(([name]) => name !== 'style')
      token.attrJoin('class', `align-${align}`)
    }
  })
}

/** A heading of a column without a word is a cell: a screen reader would announce a heading and read nothing. */
function emptyHeadings(markdown) {
  markdown.core.ruler.push('empty-headings', ({ tokens }) => {
    for (const [index, token] of tokens.entries())
      if (token.type === 'th_open' && tokens[index + 1]?.content === '')
        for (const part of [token, tokens[index + 2]]) part.tag = 'td'
  })
}
