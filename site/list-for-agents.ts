/** Lists of the manual for programs that read it: `llms.txt` names every page, `llms-full.txt` contains the guides. */
import { listSections } from './contents'
import type { ManualPage } from './manual-page'

const HEAD = `# Foyer

> TypeScript SDK for web and Electron games: sign-in, sessions, lobbies with chat, Activities, a backend and commands. The package foyer-emulator emulates the service on one machine, without an account.

Install foyer-sdk, and foyer-emulator for development and tests. A new game begins with npm create foyer@latest my-game. Each page below is Markdown.
`

/** Lists every page by section, each with its address and its first sentences. */
export function listForAgents(pages: readonly ManualPage[], addressOf: (page: ManualPage) => string): string {
  const row = (page: ManualPage) =>
    `- [${page.title}](${addressOf(page)})${page.summary === '' ? '' : `: ${page.summary}`}`
  const sections = sectionsOf(pages)
    .filter(({ found }) => found.length > 0)
    .map(({ title, found }) => `## ${title}\n\n${found.map(row).join('\n')}\n`)
  return [HEAD, ...sections].join('\n')
}

/** Joins all guides. The generated reference is left out, since it is as long as they are together. */
export function joinForAgents(pages: readonly ManualPage[]): string {
  const guides = pages.filter(({ source }) => !source.startsWith('reference/'))
  return sectionsOf(guides)
    .flatMap(({ found }) => found.map(({ source, text }) => `<!-- docs/${source} -->\n\n${text.trim()}\n`))
    .join('\n')
}

function sectionsOf(pages: readonly ManualPage[]): { title: string; found: ManualPage[] }[] {
  const bySource = new Map(pages.map((page) => [page.source, page]))
  return listSections([...bySource.keys()]).map(({ title, pages: sources }) => ({
    title,
    found: sources.flatMap((source) => bySource.get(source) ?? []),
  }))
}
