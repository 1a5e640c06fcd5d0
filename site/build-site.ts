/** Builds the manual: installs VitePress, writes the reference, renders all pages, and adds their Markdown and their headers. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { installPackages } from '../test/support/install-packages'
import { contentPolicy } from './content-policy'
import { publishMarkdown, stagePages, type ManualSource } from './stage-pages'

export interface SiteOptions {
  source: ManualSource
  /** Folder for the copies that VitePress reads. */
  staged: string
  /** Folder of the site. */
  folder: string
  /** Path of the site on its server. */
  base: string
}

export interface BuiltSite {
  folder: string
  /** Content policy of the pages. */
  policy: string
}

/** Builds the whole manual. The current folder is the repository's root. */
export function buildSite(base: string): BuiltSite {
  // VitePress has a folder of its own, so that nothing else depends on its Vite and its Vue.
  const missing = installPackages('site')
  if (missing !== undefined) throw new Error(missing)
  run('node_modules/typedoc/bin/typedoc', ['--logLevel', 'Error'])
  const source = { docs: 'docs', start: 'site/start.md' }
  return renderSite({ source, staged: 'site/.cache/pages', folder: 'site/dist', base })
}

/** Renders a folder of pages as a site. */
export function renderSite({ source, staged, folder, base }: SiteOptions): BuiltSite {
  stagePages(source, staged)
  run('site/node_modules/vitepress/bin/vitepress.js', ['build', 'site', '--outDir', resolve(folder)], {
    FOYER_SITE_BASE: base,
    FOYER_SITE_DOCS: resolve(source.docs),
    FOYER_SITE_STAGED: resolve(staged),
  })
  publishMarkdown(source, folder, base)
  return { folder, policy: writeHeaders(folder, base) }
}

/** Runs a program of Node. @throws Error with its output. */
function run(program: string, args: readonly string[], variables: Record<string, string> = {}): void {
  const env = { ...process.env, ...variables }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env,
  })
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}:\n${stdout}${stderr}`)
}

/** Writes the content policy into the file that static hosts read, and returns it. */
function writeHeaders(folder: string, base: string): string {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )
  const policy = contentPolicy(pages.map((name) => readFileSync(join(folder, name), 'utf8')))
  const headers = [
    `Content-Security-Policy: ${policy}`,
    'X-Content-Type-Options: nosniff',
    'Referrer-Policy: no-referrer',
  ]
  writeFileSync(join(folder, '_headers'), [`${base}*`, ...headers.map((line) => `  ${line}`), ''].join('\n'))
  return policy
}
