/** Installs packages that only some lanes need: each group has a folder with a `package.json` and a lockfile of its own. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** `npm ci` in a folder. Returns undefined, or the reason for which it failed. */
export type Install = (folder: string) => string | undefined

/** Installs the packages of a folder unless they are there in the versions of its `package.json`. Returns undefined, or the reason for which they cannot be had. */
export function installPackages(folder: string, install: Install = npmCi): string | undefined {
  const outdated = outdatedPackages(folder)
  if (outdated.length === 0) return undefined
  console.log(`Installing ${outdated.join(', ')} into ${folder}.`)
  const reason = install(join(ROOT, folder))
  return reason === undefined
    ? undefined
    : `${outdated.join(', ')} cannot be installed into ${folder}: ${reason}`
}

/** Names and versions of the folder's dependencies that are not in its `node_modules`. */
function outdatedPackages(folder: string): string[] {
  const { dependencies = {} }: { dependencies?: Record<string, string> } =
    manifestIn(join(ROOT, folder)) ?? {}
  return Object.entries(dependencies)
    .filter(([name, version]) => manifestIn(join(ROOT, folder, 'node_modules', name))?.version !== version)
    .map(([name, version]) => `${name} ${version}`)
}

function manifestIn(folder: string): { version?: string; dependencies?: Record<string, string> } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}

function npmCi(cwd: string): string | undefined {
  const { status, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status === 0) return undefined
  const lines = stderr.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim())
  return (
    lines.find((line) => line !== '' && !/^(?:code|errno|syscall) /.test(line)) ??
    `npm ci ended with ${String(status)}`
  )
}
