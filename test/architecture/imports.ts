/** Import rules: which room, package and entry a file may name, and that no road leads back. */
import { posix } from 'node:path'
import ts from 'typescript'
import { PACKAGES, ROOMS } from './house'
import { breach, roomOf, walk, type Breach, type Project } from './source'

interface Import {
  readonly node: ts.Node
  readonly specifier: string
  /** `import type` or `export type`: gone when the code runs. `import { type X }` is not: it still loads the module. */
  readonly types: boolean
}

/** Every `import`, `export … from`, `import()`, `import('…')` type and `require()` of a file. */
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
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) return textOf(node.moduleSpecifier)
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal)
  if (ts.isExternalModuleReference(node)) return textOf(node.expression)
  if (!ts.isCallExpression(node)) return undefined
  const callee = node.expression
  const loads = callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require')
  return loads && node.arguments[0] ? textOf(node.arguments[0]) : undefined
}

/** A computed specifier cannot be checked, so it is reported as a package that nobody allows. */
const textOf = (node: ts.Node): string => (ts.isStringLiteralLike(node) ? node.text : `(computed) ${node.getText()}`)

/** The repository path of a relative import. */
function resolve(from: string, specifier: string): string | undefined {
  if (!/^\.{1,2}(?:\/|$)/.test(specifier)) return undefined
  const path = posix.join(posix.dirname(from), specifier)
  return /\.[cm]?[jt]s$/.test(path) ? path.replace(/\.js$/, '.ts') : `${path}.ts`
}

/** The rows of the table that allow a target. */
function allowance(list: readonly string[], matches: (name: string) => boolean, types: boolean): 'yes' | 'types only' | 'no' {
  const rows = list.filter((row) => matches(row.replace(/ \(types\)$/, '')))
  if (rows.some((row) => types || !row.endsWith(' (types)'))) return 'yes'
  return rows.length > 0 ? 'types only' : 'no'
}

/** The import table: an arrow from room to room that the table does not draw is a breach. */
export function roomImports({ files }: Project): Breach[] {
  const found: Breach[] = []
  for (const file of files) {
    const from = roomOf(file.fileName)
    const allowed = from === undefined ? undefined : ROOMS[from]
    if (from === undefined || !allowed) {
      found.push(breach(file, 'stands in no room of the house: move it, or add its room to test/architecture/house.ts'))
      continue
    }
    for (const { node, specifier, types } of importsOf(file)) {
      const target = resolve(file.fileName, specifier)
      if (target === undefined) continue
      const to = roomOf(target)
      if (to === from) continue
      const path = target.replace(/^src\//, '').replace(/(?:\/index)?\.ts$/, '')
      const answer = allowance(allowed, (name) => name === to || name === path, types)
      if (answer === 'types only') found.push(breach(node, `${from} may import only types of ${to}: write \`import type\``))
      if (answer === 'no')
        found.push(breach(node, `${from} may not import ${to ?? target}; it may import ${allowed.join(', ') || 'nothing'}`))
    }
  }
  return found
}

/** Packages and `node:` modules in `src/`: the few of the table, at the places of the table. */
export function packageImports({ files }: Project): Breach[] {
  const found: Breach[] = []
  for (const file of files) {
    for (const { node, specifier, types } of importsOf(file)) {
      if (resolve(file.fileName, specifier) !== undefined) continue
      const name = packageOf(specifier)
      const answer = allowance(PACKAGES[name] ?? [], (place) => file.fileName.startsWith(place), types)
      if (answer === 'types only') found.push(breach(node, `only types of ${name} may be imported here`))
      if (answer === 'no') found.push(breach(node, `${name} may not be imported here; allowed: ${PACKAGES[name]?.join(', ') || 'nowhere'}`))
    }
  }
  return found
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:'
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** The emulator shares no behaviour with the SDK, or a bug on both sides stays green. */
export function emulatorImports({ files }: Project, dependencies: readonly string[]): Breach[] {
  const found: Breach[] = []
  for (const file of files) {
    const command = file.fileName.startsWith('emulator/src/cli/commands/')
    for (const { node, specifier, types } of importsOf(file)) {
      const target = resolve(file.fileName, specifier)
      if (target !== undefined) {
        if (!target.startsWith('emulator/')) found.push(breach(node, `the emulator may not reach outside its folder (${target})`))
      } else if (packageOf(specifier) === 'foyer-sdk') {
        const allowed = specifier === 'foyer-sdk/server' && (types || command)
        if (!allowed) found.push(breach(node, 'the emulator may only `import type` from foyer-sdk/server; behaviour only in cli/commands/'))
      } else if (!types && !specifier.startsWith('node:') && !dependencies.includes(packageOf(specifier))) {
        found.push(breach(node, `${packageOf(specifier)} is no dependency of foyer-emulator`))
      }
    }
  }
  return found
}

/** The demo and the flow tests are written like a game: public entries only. */
export function publicEntriesOnly({ files }: Project): Breach[] {
  const found: Breach[] = []
  for (const file of files) {
    for (const { node, specifier } of importsOf(file)) {
      const target = resolve(file.fileName, specifier)
      if (target !== undefined && /^(?:src|emulator|dist)\//.test(target)) {
        found.push(breach(node, `reaches into ${target}: import a public entry (foyer-sdk, foyer-emulator) as a game would`))
      }
      if (/^foyer-(?:sdk|emulator)\/(?:src|dist)\b/.test(specifier)) found.push(breach(node, `${specifier} is no public entry`))
    }
  }
  return found
}

/** No import circle, types and `import()` included: what needs one another belongs together or needs a port. */
export function circles({ files }: Project): Breach[] {
  const graph = new Map(files.map((file) => [file.fileName, edges(file)]))
  const found: Breach[] = []
  const done = new Set<string>()
  const visit = (name: string, road: readonly string[]): void => {
    if (done.has(name)) return
    for (const { target, node } of graph.get(name) ?? []) {
      const start = [...road, name].indexOf(target)
      if (start !== -1) found.push(breach(node, `import circle: ${[...road.slice(start), name, target].join(' -> ')}`))
      else visit(target, [...road, name])
    }
    done.add(name)
  }
  for (const name of graph.keys()) visit(name, [])
  return found
}

function edges(file: ts.SourceFile): { target: string; node: ts.Node }[] {
  return importsOf(file).flatMap(({ node, specifier }) => {
    const target = resolve(file.fileName, specifier)
    return target === undefined ? [] : [{ target, node }]
  })
}
