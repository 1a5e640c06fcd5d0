/** Builds the packages for the tests that use them, if the build is missing or older than the source. */
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** What the build is made from, and files that it writes: the first one early, the last one at its end. */
const SOURCES = [
  'src',
  'emulator/src',
  'emulator/vite.config.ts',
  'scripts/build',
  'vite.config.ts',
  'package-lock.json',
]
const BUILT = [
  'dist/index.js',
  'dist/umd/index.umd.js',
  'dist/types/index.d.ts',
  'emulator/dist/index.js',
  'emulator/dist/browser/chat.js',
  'llms.txt',
]

/** The manual as a site. TypeDoc reads the comments of the source. */
const SITE_SOURCES = [
  'docs',
  'src',
  'emulator/src',
  'scripts/site.mjs',
  'site/.vitepress/config.mjs',
  'site/.vitepress/theme',
  ...['build-site', 'contents', 'content-policy', 'list-for-agents', 'manual-page', 'stage-pages'].map(
    (name) => `site/${name}.ts`,
  ),
  'site/start.md',
]
const REFERENCE = join('docs', 'reference')
const SITE_BUILT = ['site/dist/index.html', 'site/dist/llms.txt', 'site/dist/_headers']

export function ensureBuild(): void {
  const reason = whyBuild(SOURCES, BUILT)
  if (reason === undefined) return
  console.log(`Building the packages first: ${reason}.`)
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0)
    throw new Error(
      'The build failed, so the tests that use it cannot run: see above, or run `npm run build`.',
    )
}

export function ensureSite(): void {
  const reason = whyBuild(SITE_SOURCES, SITE_BUILT)
  if (reason === undefined) return
  console.log(`Building the manual first: ${reason}.`)
  const { status } = spawnSync(process.execPath, ['scripts/site.mjs'], { stdio: 'inherit' })
  if (status !== 0)
    throw new Error('The manual was not built, so it cannot be tested: see above, or run `npm run site`.')
}

/** Returns undefined if the build is there and no older than its source. */
function whyBuild(sources: readonly string[], built: readonly string[]): string | undefined {
  const missing = built.find((path) => modifiedAt(path) === undefined)
  if (missing !== undefined) return `${missing} is missing`
  const oldest = Math.min(...built.map((path) => modifiedAt(path) ?? 0))
  const newer = sources
    .flatMap(filesIn)
    // The build of the site writes it.
    .filter((path) => !path.startsWith(REFERENCE))
    .find((path) => (modifiedAt(path) ?? 0) > oldest)
  return newer === undefined ? undefined : `${newer} is newer than the build`
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

function modifiedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}
