/** Builds the manual: installs VitePress, writes the reference, renders all pages, and adds their Markdown and their headers. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { installPackages } from '../test/support/install-packages'
import { contentPolicy } from './content-policy'
import { publishMarkdown, stagePages } from './stage-pages'

const SOURCE = { docs: 'docs', start: 'site/start.md' }
const BUILT = 'site/dist'

/** Returns the folder of the site, and the content policy of the pages. `base`: path of the site on its server. The current folder is the repository's root. */
export function buildSite(base: string): { folder: string; policy: string } {
  // VitePress has a folder of its own, so that nothing else depends on its Vite and its Vue.
  const missing = installPackages('site')
  if (missing !== undefined) throw new Error(missing)
  run('node_modules/typedoc/bin/typedoc', ['--logLevel', 'Error'])
  stagePages(SOURCE, 'site/.cache/pages')
  run('site/node_modules/vitepress/bin/vitepress.js', ['build', 'site'])
  publishMarkdown(SOURCE, BUILT, base)
  return { folder: BUILT, policy: writeHeaders(base) }
}

/** Runs a program of Node. @throws Error with its output. */
function run(program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}:\n${stdout}${stderr}`)
}

/** Writes the content policy into the file that static hosts read, and returns it. */
function writeHeaders(base: string): string {
  const pages = readdirSync(BUILT, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )
  const policy = contentPolicy(pages.map((name) => readFileSync(join(BUILT, name), 'utf8')))
  const headers = [
    `Content-Security-Policy: ${policy}`,
    'X-Content-Type-Options: nosniff',
    'Referrer-Policy: no-referrer',
  ]
  writeFileSync(join(BUILT, '_headers'), [`${base}*`, ...headers.map((line) => `  ${line}`), ''].join('\n'))
  return policy
}
