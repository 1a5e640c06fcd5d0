/** Finds the syntax and the browser APIs that a built script uses, with the first version of each browser that supports them. */
import { type Node, parse } from 'acorn'
import { firstVersions, members, syntaxOf, type Versions } from './compatibility-data'

export interface Feature {
  /** Name in the code, for example `static block` or `Array.at`. */
  readonly name: string
  readonly since: Versions
}

export type SyntaxNode = Node & Record<string, unknown>

/** Objects of the platform and their interfaces. */
const INSTANCES: Record<string, string> = {
  crypto: 'Crypto',
  document: 'Document',
  history: 'History',
  location: 'Location',
  navigator: 'Navigator',
  performance: 'Performance',
  window: 'Window',
  globalThis: 'Window',
  self: 'Window',
  localStorage: 'Storage',
  sessionStorage: 'Storage',
}

/**
 * Lists each feature of a script or module once. `own`: names of members that the project declares, which are not looked up unless the
 * object is a global.
 */
export function featuresOf(
  code: string,
  { sourceType, own }: { sourceType: 'script' | 'module'; own: ReadonlySet<string> },
): Feature[] {
  const nodes = [...walk(parse(code, { ecmaVersion: 'latest', sourceType }) as unknown as SyntaxNode)]
  const declared = new Set(nodes.flatMap(declaredNames))
  const called = new Set(
    nodes.flatMap(({ type, callee }) => (type === 'CallExpression' ? [callee as SyntaxNode] : [])),
  )
  const found = new Map<string, Versions>()
  for (const node of nodes) {
    for (const [name, since] of syntaxOf(node)) found.set(name, since)
    const use = useOf(node, { declared, own, isCalled: called.has(node) })
    const since = use && firstVersions(use.candidates)
    if (since) found.set(use.name, since)
  }
  return [...found].map(([name, since]) => ({ name, since }))
}

interface Scope {
  declared: ReadonlySet<string>
  own: ReadonlySet<string>
  isCalled: boolean
}

/** Returns an API that a node may use, with all interfaces that have a member of that name. */
function useOf(node: SyntaxNode, { declared, own, isCalled }: Scope) {
  if (node.type === 'Identifier' && !declared.has(nameOf(node)))
    return { name: nameOf(node), candidates: [nameOf(node)] }
  if (node.type !== 'MemberExpression' || node['computed'] === true) return undefined
  const member = nameOf(node['property'])
  const object = nameOf(node['object'])
  if (object && !declared.has(object) && /^[A-Z]|^\w{4,}$/.test(object)) {
    const owner = INSTANCES[object] ?? object
    return { name: `${object}.${member}`, candidates: [`${owner}.${member}`] }
  }
  // A property that is read may be any object's own; a method that is called is looked up unless the project declares one of that name.
  if (own.has(member)) return undefined
  return { name: `.${member}${isCalled ? '()' : ''}`, candidates: members(member) }
}

const nameOf = (node: unknown): string => {
  const { type, name } = (node ?? {}) as { type?: string; name?: unknown }
  return type === 'Identifier' && typeof name === 'string' ? name : ''
}

/** Lists variables, parameters and imports, and properties of literals and classes: their identifiers are no globals. */
function declaredNames(node: SyntaxNode): string[] {
  const { type } = node
  if (type === 'VariableDeclarator') return patternNames(node['id'])
  if (/Function|^Class/.test(type))
    return [nameOf(node['id']), ...((node['params'] as unknown[] | undefined) ?? []).flatMap(patternNames)]
  if (type === 'CatchClause') return patternNames(node['param'])
  if (type === 'Property' || type === 'MethodDefinition' || type === 'PropertyDefinition')
    return node['shorthand'] ? [] : [nameOf(node['key'])]
  return /^Import.*Specifier$/.test(type) ? [nameOf(node['local'])] : []
}

function patternNames(pattern: unknown): string[] {
  if (!pattern) return []
  return [...walk(pattern as SyntaxNode)].map(nameOf)
}

function* walk(node: SyntaxNode): Generator<SyntaxNode> {
  yield node
  for (const value of Object.values(node))
    for (const child of [value].flat())
      if (child && typeof (child as SyntaxNode).type === 'string') yield* walk(child as SyntaxNode)
}

/** The first versions that support all features. */
export function floorOf(features: readonly Feature[]): Versions {
  const all = features.map(({ since }) => since)
  const floor = (browser: keyof Versions) => Math.max(0, ...all.map((since) => since[browser]))
  return {
    chrome: floor('chrome'),
    webview_android: floor('webview_android'),
    firefox: floor('firefox'),
    safari: floor('safari'),
  }
}
