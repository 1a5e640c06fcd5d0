/** Import rules: the folders, packages and entries that a file may import, without circles. */
import { posix } from 'node:path'
import ts from 'typescript'
import { PACKAGES } from './import-rules'
import { violation, folderOf, walk, type Violation, type SourceTree, type Project } from './source'

interface Import {
  readonly node: ts.Node
  readonly specifier: string
  /** True for `import type` and `export type`, which are erased. False for `import { type X }`, which still loads the module. */
  readonly types: boolean
}

/** Returns every `import`, `export … from`, `import()`, `import('…')` type and `require()` of a file. */
function importsOf(file: ts.SourceFile): Import[] {
  const found: Import[] = []
  for (const node of walk(file)) {
    const specifier = specifierOf(node)
    if (specifier === undefined) continue
    const types =
      ts.isImportTypeNode(node) ||
      (ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) ||
      (ts.isExportDeclaration(node) && node.isTypeOnly)
    found.push({ node, specifier, types })
  }
  return found
}

function specifierOf(node: ts.Node): string | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
    return textOf(node.moduleSpecifier)
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal)
  if (ts.isExternalModuleReference(node)) return textOf(node.expression)
  if (!ts.isCallExpression(node)) return undefined
  const callee = node.expression
  const loads =
    callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require')
  return loads && node.arguments[0] ? textOf(node.arguments[0]) : undefined
}

/** Returns the string of a specifier. A computed one cannot be checked, so it is reported as a package that is never allowed. */
const textOf = (node: ts.Node): string =>
  ts.isStringLiteralLike(node) ? node.text : `(computed) ${node.getText()}`

/** Returns the repository path of a relative import. */
function resolve(from: string, specifier: string): string | undefined {
  if (!/^\.{1,2}(?:\/|$)/.test(specifier)) return undefined
  const path = posix.join(posix.dirname(from), specifier)
  return /\.[cm]?[jt]s$/.test(path) ? path.replace(/\.js$/, '.ts') : `${path}.ts`
}

/** Looks up whether the entries of a table allow a target. */
function allowance(
  list: readonly string[],
  matches: (name: string) => boolean,
  types: boolean,
): 'yes' | 'types only' | 'no' {
  const rows = list.filter((row) => matches(row.replace(/ \(types\)$/, '')))
  if (rows.some((row) => types || !row.endsWith(' (types)'))) return 'yes'
  return rows.length > 0 ? 'types only' : 'no'
}

/** Reports every import between folders that the table of the source tree does not list. */
export const folderImports =
  (tree: SourceTree) =>
  ({ files }: Project): Violation[] =>
    files.flatMap((file) => {
      const from = folderOf(file.fileName, tree)
      const allowed = from === undefined ? undefined : tree.folders[from]
      if (from === undefined || !allowed)
        return [
          violation(
            file,
            `is in no folder of the table for ${tree.root}: move it, or add its folder to test/architecture/import-rules.ts`,
          ),
        ]
      return importsOf(file).flatMap((found) => folderViolation(file, found, { tree, from, allowed }))
    })

function folderViolation(
  { fileName }: ts.SourceFile,
  { node, specifier, types }: Import,
  { tree, from, allowed }: { tree: SourceTree; from: string; allowed: readonly string[] },
): Violation[] {
  const target = resolve(fileName, specifier)
  const to = target === undefined ? undefined : folderOf(target, tree)
  if (target === undefined || to === from) return []
  const path = target.startsWith(tree.root)
    ? target.slice(tree.root.length).replace(/(?:\/index)?\.ts$/, '')
    : target
  // A wing, such as `shared`, stands for all of its folders.
  const isInWing = (name: string) => !(name in tree.folders) && target.startsWith(`${tree.root}${name}/`)
  const answer = allowance(allowed, (name) => name === to || name === path || isInWing(name), types)
  if (answer === 'types only')
    return [violation(node, `${from} may import only types of ${to ?? target}: write \`import type\``)]
  if (answer === 'no')
    return [
      violation(
        node,
        `${from} may not import ${to ?? target}; it may import ${allowed.join(', ') || 'nothing'}`,
      ),
    ]
  return []
}

/** Returns the names in a table that are not above their row, as `row > name`. Without any, imports between folders run in one direction. */
export function upwardRows(folders: SourceTree['folders']): string[] {
  const order = Object.keys(folders)
  /** A file has the rank of its folder, and a wing that of its last folder. */
  const rank = (name: string) => {
    const folder = order
      .filter((each) => name === each || name.startsWith(`${each}/`))
      .toSorted((a, b) => b.length - a.length)[0]
    return folder === undefined
      ? order.findLastIndex((each) => each.startsWith(`${name}/`))
      : order.indexOf(folder)
  }
  return order.flatMap((folder, index) =>
    (folders[folder] ?? []).flatMap((row) => {
      const above = rank(row.replace(/ \(types\)$/, ''))
      return above >= 0 && above < index ? [] : [`${folder} > ${row}`]
    }),
  )
}

/** Reports packages and `node:` modules in `src/` that the table does not allow at that path. */
export function packageImports({ files }: Project): Violation[] {
  const found: Violation[] = []
  for (const file of files) {
    for (const { node, specifier, types } of importsOf(file)) {
      if (resolve(file.fileName, specifier) !== undefined) continue
      const name = packageOf(specifier)
      const answer = allowance(PACKAGES[name] ?? [], (path) => file.fileName.startsWith(path), types)
      if (answer === 'types only') found.push(violation(node, `only types of ${name} may be imported here`))
      if (answer === 'no')
        found.push(
          violation(
            node,
            `${name} may not be imported here; allowed: ${PACKAGES[name]?.join(', ') || 'nowhere'}`,
          ),
        )
    }
  }
  return found
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:'
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** Reports imports of the emulator from the SDK: with shared behaviour, tests of one against the other would miss its bugs. */
export function emulatorImports({ files }: Project, dependencies: readonly string[]): Violation[] {
  const found: Violation[] = []
  for (const file of files) {
    const command = file.fileName === 'emulator/src/tools/cli/application-commands.ts'
    // A declaration file has no code: all of its imports are erased.
    const isErased = file.fileName.endsWith('.d.ts')
    const bundled = /^emulator\/src\/pages\/(?!documents\/)/.test(file.fileName) ? ['preact'] : []
    for (const { node, specifier, types: typesOnly } of importsOf(file)) {
      const types = typesOnly || isErased
      const target = resolve(file.fileName, specifier)
      if (target !== undefined) {
        if (!target.startsWith('emulator/'))
          found.push(violation(node, `the emulatormay not import files outside its folder (${target})`))
      } else if (packageOf(specifier) === 'foyer-sdk') {
        const allowed = specifier === 'foyer-sdk/server' && (types || command)
        if (!allowed)
          found.push(
            violation(
              node,
              'the emulator may only `import type` from foyer-sdk/server; behaviour only in tools/cli/application-commands',
            ),
          )
      } else if (
        !types &&
        !specifier.startsWith('node:') &&
        ![...dependencies, ...bundled].includes(packageOf(specifier))
      ) {
        found.push(violation(node, `${packageOf(specifier)} is no dependency of foyer-emulator`))
      }
    }
  }
  return found
}

/** Reports imports of the demo and the flow tests that are not public entries: both are written like a game. */
export function publicEntriesOnly({ files }: Project): Violation[] {
  const found: Violation[] = []
  for (const file of files) {
    for (const { node, specifier } of importsOf(file)) {
      const target = resolve(file.fileName, specifier)
      if (target !== undefined && /^(?:src|emulator|dist)\//.test(target)) {
        found.push(
          violation(
            node,
            `reaches into ${target}: import a public entry (foyer-sdk, foyer-emulator) as a game would`,
          ),
        )
      }
      if (/^foyer-(?:sdk|emulator)\/(?:src|dist)\b/.test(specifier))
        found.push(violation(node, `${specifier} is no public entry`))
    }
  }
  return found
}

/**
 * Reports import circles, types included. Files that need each other belong together, or need an interface between them. An `import()` is
 * none of them: what loads later knows by its type what has loaded it.
 */
export function circles({ files }: Project): Violation[] {
  const graph = new Map(files.map((file) => [file.fileName, edges(file).filter(({ isLazy }) => !isLazy)]))
  const found: Violation[] = []
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    if (done.has(name)) return
    for (const { target, node } of graph.get(name) ?? []) {
      const start = [...path, name].indexOf(target)
      if (start !== -1)
        found.push(violation(node, `import circle: ${[...path.slice(start), name, target].join(' -> ')}`))
      else visit(target, [...path, name])
    }
    done.add(name)
  }
  for (const name of graph.keys()) visit(name, [])
  return found
}

const turned = (pair: string) => pair.split(' <> ').toReversed().join(' <> ')

/** Returns the pairs of folders at any depth that import each other, as `a <> b`. An `import()` does not count, as for `circles`. */
export function mutualFolders({ files }: Project): string[] {
  const pairs = new Set<string>()
  for (const file of files) {
    const from = posix.dirname(file.fileName)
    for (const { target, isLazy } of edges(file))
      if (!isLazy) pairs.add(`${from} <> ${posix.dirname(target)}`)
  }
  return [...pairs].filter((pair) => pair < turned(pair) && pairs.has(turned(pair))).toSorted()
}

function edges(file: ts.SourceFile): { target: string; node: ts.Node; isLazy: boolean }[] {
  return importsOf(file).flatMap(({ node, specifier }) => {
    const target = resolve(file.fileName, specifier)
    return target === undefined ? [] : [{ target, node, isLazy: ts.isCallExpression(node) }]
  })
}
