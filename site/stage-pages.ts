/** Copies the pages of `docs`, unchanged: to where VitePress reads them, and beside the built pages, to download. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { joinForAgents, listForAgents } from './list-for-agents'
import { manualPage, readPages, type ManualPage } from './manual-page'

export interface ManualSource {
  /** Folder of the pages. */
  docs: string
  /** File of the start page. */
  start: string
}

/** Fills the folder that VitePress reads. */
export function stagePages(source: ManualSource, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  writePages(source, folder)
  cpSync(join(source.docs, 'images'), join(folder, 'images'), { recursive: true })
}

/** Adds the Markdown of each page to the built site, other files that pages link to, and both lists for programs. `base`: path of the site on its server. */
export function publishMarkdown(source: ManualSource, folder: string, base: string): void {
  const pages = writePages(source, folder)
  // Pictures are among the files that VitePress writes.
  cpSync(source.docs, folder, { recursive: true, filter: (path) => !/\.md$|[\\/]images$/.test(path) })
  write(
    join(folder, 'llms.txt'),
    listForAgents(pages, ({ path }) => `${base}${path}`),
  )
  write(join(folder, 'llms-full.txt'), joinForAgents(pages))
}

function writePages({ docs, start }: ManualSource, folder: string): ManualPage[] {
  const pages = readPages(docs)
  for (const { path, text } of [manualPage('index.md', readFileSync(start, 'utf8')), ...pages])
    write(join(folder, path), text)
  return pages
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
