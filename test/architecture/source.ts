/** Reads TypeScript files into syntax trees, and answers where a thing stands and whether a name is global. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { ROOMS } from './house'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Project {
  readonly files: readonly ts.SourceFile[]
  readonly checker: ts.TypeChecker
}

/** A rule that was broken, and where. */
export interface Breach {
  readonly file: string
  readonly line: number
  readonly rule: string
}

/** Every TypeScript file under a folder of the repository, as `[path, text]`; none when the folder does not exist yet. */
export function readSources(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  let entries: string[] = []
  try {
    entries = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  for (const entry of entries) {
    const path = join(folder, entry).split(sep).join('/')
    if (/\.[cm]?[jt]sx?$/.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path)) found[path] = readFileSync(join(ROOT, path), 'utf8')
  }
  return found
}

/** Parses files held in memory. No library is loaded, so a name that nothing declares is a global. */
export function parse(sources: Record<string, string>): Project {
  const options: ts.CompilerOptions = {
    noLib: true,
    noResolve: true,
    allowJs: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
  }
  const host: ts.CompilerHost = {
    getSourceFile: (name, target) => {
      const text = sources[name]
      return text === undefined ? undefined : ts.createSourceFile(name, text, target, true)
    },
    fileExists: (name) => name in sources,
    readFile: (name) => sources[name],
    getDefaultLibFileName: () => 'lib.d.ts',
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => '',
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => {
      throw new Error('Nothing is written here.')
    },
  }
  const program = ts.createProgram(Object.keys(sources), options, host)
  return { files: program.getSourceFiles(), checker: program.getTypeChecker() }
}

export function breach(node: ts.Node, rule: string): Breach {
  const file = node.getSourceFile()
  return { file: file.fileName, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, rule }
}

/** The node and everything below it, in the order of the text. */
export function* walk(node: ts.Node): Generator<ts.Node> {
  yield node
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(child))
  for (const child of children) yield* walk(child)
}

/** The room that a file of `src/` belongs to: the longest name in the table that its path begins with. */
export function roomOf(path: string): string | undefined {
  const inside = path.replace(/^src\//, '').replace(/\.ts$/, '')
  if (inside === path.replace(/\.ts$/, '')) return undefined
  return Object.keys(ROOMS)
    .filter((room) => inside === room || inside.startsWith(`${room}/`))
    .toSorted((a, b) => b.length - a.length)[0]
}

export const display = ({ file, line, rule }: Breach): string => `${relative(ROOT, join(ROOT, file))}:${line} ${rule}`
