/** The package as installed from a registry: packed, unpacked and installed in an empty project. Uses no network. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { oncePerRun } from './once-per-run'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Record<string, string>
  readonly bin?: Record<string, string>
}

export interface PackedPackage extends Disposable {
  /** Empty project with the package in its `node_modules`. */
  readonly project: string
  /** Folder of the unpacked package. */
  readonly folder: string
  /** Every file of the package, sorted, with `/`. */
  readonly files: readonly string[]
  readonly manifest: Manifest
}

/** Packs a built workspace and installs it beside links to its dependencies. */
export function pack(workspace: '.' | 'emulator' | 'create-foyer'): PackedPackage {
  const unpacked = oncePerRun(`packed-${workspace === '.' ? 'foyer-sdk' : workspace}`, (folder) =>
    packAndUnpack(workspace, folder),
  )
  const home = mkdtempSync(join(tmpdir(), 'foyer-pack-'))
  const manifest: Manifest = JSON.parse(readFileSync(join(unpacked, 'package/package.json'), 'utf8'))
  const project = join(home, 'project')
  const folder = join(project, 'node_modules', manifest.name)
  cpSync(join(unpacked, 'package'), folder, { recursive: true })
  for (const name of Object.keys(manifest.dependencies ?? {})) link(name, project)
  return {
    project,
    folder,
    manifest,
    files: list(folder),
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  }
}

function packAndUnpack(workspace: string, folder: string): void {
  const source = join(ROOT, workspace)
  if (!existsSync(join(source, workspace === 'create-foyer' ? 'templates' : 'dist')))
    throw new Error(`${workspace} is not built: run \`npm run build\` first.`)
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], source)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (!tarball) throw new Error('npm pack wrote no tarball.')
  run('tar', ['-xzf', tarball], folder)
}

/** Makes a package of the repository visible to the project. */
export function link(name: string, project: string, modules = 'node_modules'): void {
  const path = join(project, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(join(ROOT, modules, name), path, 'dir')
}

/** Runs a program and returns its output; an error contains its stderr. */
export function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
      shell: process.platform === 'win32' && command === 'npm',
    })
  } catch (error) {
    const { stdout = '', stderr = '' } =
      error instanceof Error ? Object.fromEntries(Object.entries(error)) : {}
    throw new Error(`${command} ${args.join(' ')} failed:\n${String(stdout)}${String(stderr)}`, {
      cause: error,
    })
  }
}

function list(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
    .toSorted()
}
