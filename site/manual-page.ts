/** Page of the manual: its file, its address, its heading and its first sentences. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

export interface ManualPage {
  /** Path below `docs`. */
  readonly source: string
  /** Path of its Markdown below the site. `README.md` of a folder is the folder's `index.md`. */
  readonly path: string
  readonly title: string
  /** First sentences. Empty if the page begins with a table or code. */
  readonly summary: string
  readonly text: string
}

/** Reads every page below a folder. */
export function readPages(folder: string): ManualPage[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => manualPage(name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')))
    .toSorted((a, b) => a.source.localeCompare(b.source, 'en'))
}

export function manualPage(source: string, text: string): ManualPage {
  return {
    source,
    path: sitePath(source),
    title: titleOf(source, text),
    summary: firstSentences(text),
    text,
  }
}

export const sitePath = (source: string): string => source.replace(/(^|\/)README\.md$/, '$1index.md')

export const sourcePath = (path: string): string => path.replace(/\/index\.md$/, '/README.md')

export interface LinkOptions {
  /** Path of the page with the link, below `docs`. */
  from: string
  /** Tells whether a path below `docs` is there on the site. */
  isPage: (source: string) => boolean
  /** Address of the public repository. Empty if there is none. */
  repository: string
}

/** Decides where a link of a page leads on the site. Returns undefined if its target is no page, and the repository has no address. */
export function siteLink(target: string, { from, isPage, repository }: LinkOptions): string | undefined {
  if (/^(?:[a-z]+:|#|\/)/.test(target)) return target
  const [file = '', anchor] = target.split('#')
  const hash = anchor === undefined ? '' : `#${anchor}`
  const path = posix.join('docs', posix.dirname(from), file)
  if (path.startsWith('docs/') && isPage(path.slice('docs/'.length))) return sitePath(file) + hash
  return repository === '' ? undefined : `${repository}/blob/main/${path}${hash}`
}

/** Pages that TypeDoc writes are named after their entry. */
function titleOf(source: string, text: string): string {
  const entry = /^reference\/(.+)\.md$/.exec(source)?.[1]
  if (entry !== undefined) return entry === 'README' ? 'Reference' : entry
  return /^# (.+)$/m.exec(text)?.[1] ?? source
}

/** The sentences of the first paragraph, as many as fit into a line of 200 characters, at least one. */
function firstSentences(text: string): string {
  const paragraph = /\S.*?(?=\n\s*\n|\s*$(?![^]))/s.exec(text.replace(/^# .*$/m, ''))?.[0] ?? ''
  if (!/^[\p{Lu}`[_*]/u.test(paragraph) || paragraph.startsWith('```')) return ''
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ')
  const [first = '', ...more] = plain.split(/(?<=[.!?]) (?=[A-Z`])/)
  return more.reduce((line, next) => (line.length + next.length < 200 ? `${line} ${next}` : line), first)
}
