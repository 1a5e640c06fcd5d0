/** Reads TypeScript files into syntax trees, and locates nodes and files. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { EMULATOR_FOLDERS, FOLDERS } from './import-rules'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Project {
  readonly files: readonly ts.SourceFile[]
  readonly checker: ts.TypeChecker
}

/** Violation of a rule at a line of a file. */
export interface Violation {
  readonly file: string
  readonly line: number
  readonly rule: string
}

const NOT_SOURCES = new Set(['node_modules', 'dist'])

/** Reads every script file under a folder of the repository, by path. */
export function readSources(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory() && !NOT_SOURCES.has(entry.name)) Object.assign(found, readSources(path))
    if (entry.isFile() && /\.[cm]?[jt]sx?$/.test(path)) found[path] = readFileSync(join(ROOT, path), 'utf8')
  }
  return found
}

/** Syntax trees by path. A file that belongs to several projects is parsed once. */
const trees = new Map<string, ts.SourceFile>()

function treeOf(
  name: string,
  text: string,
  target: ts.ScriptTarget | ts.CreateSourceFileOptions,
): ts.SourceFile {
  const known = trees.get(name)
  if (known?.text === text) return known
  const tree = ts.createSourceFile(name, text, target, true)
  trees.set(name, tree)
  return tree
}

/** Parses files in memory. No library is loaded, so a name without a declaration is a global. */
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
      return text === undefined ? undefined : treeOf(name, text, target)
    },
    fileExists: (name) => name in sources,
    readFile: (name) => sources[name],
    getDefaultLibFileName: () => 'lib.d.ts',
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => '',
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => {
      throw new Error('The compiler host is read-only.')
    },
  }
  const program = ts.createProgram(Object.keys(sources), options, host)
  return {
    files: program.getSourceFiles(),
    // Only one rule needs it, and it takes longer than the others together.
    get checker() {
      return program.getTypeChecker()
    },
  }
}

export function violation(node: ts.Node, rule: string): Violation {
  const file = node.getSourceFile()
  return { file: file.fileName, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, rule }
}

const walked = new WeakMap<ts.SourceFile, readonly ts.Node[]>()

/** Returns the node and all of its descendants, in source order. Those of a file are collected once, for all rules. */
export function walk(node: ts.Node): readonly ts.Node[] {
  const known = ts.isSourceFile(node) ? walked.get(node) : undefined
  if (known) return known
  const found: ts.Node[] = []
  const visit = (each: ts.Node): void => {
    found.push(each)
    ts.forEachChild(each, visit)
  }
  visit(node)
  if (ts.isSourceFile(node)) walked.set(node, found)
  return found
}

/** A source tree and its table of folders. */
export interface SourceTree {
  /** Ends with a slash. */
  readonly root: string
  readonly folders: Record<string, readonly string[]>
}

export const SDK: SourceTree = { root: 'src/', folders: FOLDERS }
export const EMULATOR: SourceTree = { root: 'emulator/src/', folders: EMULATOR_FOLDERS }

/** Returns the folder of the table that contains a file: the longest name that its path begins with. */
export function folderOf(path: string, { root, folders }: SourceTree = SDK): string | undefined {
  if (!path.startsWith(root)) return undefined
  const inside = path.slice(root.length).replace(/\.ts$/, '')
  return Object.keys(folders)
    .filter((folder) => inside === folder || inside.startsWith(`${folder}/`))
    .toSorted((a, b) => b.length - a.length)[0]
}

export const display = ({ file, line, rule }: Violation): string =>
  `${relative(ROOT, join(ROOT, file))}:${line} ${rule}`
