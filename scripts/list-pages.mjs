/** Writes `llms.txt`, the list of the manual's pages in the package, for programs that read it: a part of the build, and of a release. */
import { writeFileSync } from 'node:fs'
import { runnerImport } from 'vite'

const { module: list } = await runnerImport('./site/list-for-agents.ts')
const { module: manual } = await runnerImport('./site/manual-page.ts')
writeFileSync(
  'llms.txt',
  list.listForAgents(
    manual.readPages('docs'),
    (/** @type {{ source: string }} */ page) => `docs/${page.source}`,
  ),
)
