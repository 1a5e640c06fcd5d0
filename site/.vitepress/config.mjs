/** Configuration of VitePress. The pages are copies of `docs` that `stage-pages.ts` makes. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { transformerStyleToClass } from '@shikijs/transformers'
import { REPOSITORY as ADDRESS } from '../../scripts/release/repository.mjs'
import { listSections } from '../contents'
import { readPages, siteLink, sourcePath } from '../manual-page'

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url))
/** @type {string} Empty until the repository is public. */
const REPOSITORY = ADDRESS
const BASE = process.env.FOYER_SITE_BASE ?? '/'
const pages = new Map(readPages(DOCS).map((page) => [page.source, page]))
/** A content policy without `unsafe-inline` forbids style attributes, so the colors of code become classes. */
const colors = transformerStyleToClass({ classPrefix: 'code-' })

export default {
  title: 'Foyer',
  description: 'Sign-in, lobbies and chat for web and Electron games.',
  lang: 'en',
  base: BASE,
  srcDir: '.cache/pages',
  outDir: 'dist',
  cacheDir: '.cache/vitepress',
  // A script of its own instead of an inline one that every change of a page would change.
  metaChunk: true,
  // Otherwise a change of the theme adds a style element, which the content policy forbids.
  appearance: { disableTransition: false },
  // By default VitePress gives the content a style attribute, which the content policy forbids.
  contentProps: { class: 'content' },
  head: [['link', { rel: 'stylesheet', href: `${BASE}code-colors.css` }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: githubAnchor },
    codeTransformers: [colors],
    config: (markdown) => markdown.use(linksOfSite).use(alignByClass),
  },
  themeConfig: {
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        _render: textForSearch,
        miniSearch: {
          searchOptions: { boost: { title: 6, titles: 4, text: 1 }, prefix: true, fuzzy: 0.1 },
        },
      },
    },
    sidebar: listSections([...pages.keys()]).map(({ title, pages: listed }) => ({
      text: title,
      items: listed.map((source) => ({
        text: pages.get(source).title,
        link: `/${pages.get(source).path.replace(/\.md$/, '')}`,
      })),
    })),
    ...(REPOSITORY !== '' && {
      editLink: { text: 'Edit', pattern: `${REPOSITORY}/edit/main/docs/:path` },
    }),
  },
  transformPageData: (page) => ({ filePath: sourcePath(page.filePath) }),
  // VitePress sets this custom property again when the page runs.
  transformHtml: (html) => html.replaceAll(/ style="--vp-vh:0px;"/g, ''),
  buildEnd: ({ outDir }) => writeFileSync(join(outDir, 'code-colors.css'), colors.getCSS()),
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

const isPage = (source) => pages.has(source) || existsSync(join(DOCS, source))

/** Points links to the site's pages. A link to a file of the repository leads to its address, and is plain text without one. */
function linksOfSite(markdown) {
  markdown.core.ruler.push('links-of-site', ({ tokens, env }) => {
    const from = sourcePath(env.relativePath ?? '')
    for (const { children } of tokens)
      for (const [index, token] of (children ?? []).entries()) {
        const href = token.type === 'link_open' && token.attrGet('href')
        if (!href) continue
        const target = siteLink(decodeURI(href), { from, isPage, repository: REPOSITORY })
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
