/** First browser versions of syntax and APIs, from MDN's browser compatibility data. */
import { readFileSync } from 'node:fs'
import type { CompatStatement, Identifier } from '@mdn/browser-compat-data'
import type { SyntaxNode } from './browser-features'

/** Browsers of the published tables, by their keys in the data. */
const BROWSERS = ['chrome', 'webview_android', 'firefox', 'safari'] as const
/** First version, by browser. Infinity: none. */
export type Versions = Record<(typeof BROWSERS)[number], number>

const FILE = 'node_modules/@mdn/browser-compat-data/data.json'
const data = JSON.parse(readFileSync(FILE, 'utf8')) as {
  api: Identifier
  html: { elements: Identifier }
  javascript: Record<string, Record<string, Identifier>>
}
const { builtins = {}, ...grammar } = data.javascript

/** Name that the data give to the statement about an identifier. */
const COMPAT = '__compat'

const syntax = (...path: string[]): CompatStatement => statementAt(grammar, path)

function statementAt(root: Identifier, path: readonly string[]): CompatStatement {
  const found = path.reduce<Identifier | undefined>((identifier, key) => identifier?.[key], root)?.[COMPAT]
  if (!found) throw new Error(`${FILE} has no ${path.join('.')}.`)
  return found
}

type Test = (node: SyntaxNode) => boolean
const hasPart =
  (parent: string, part: string): Test =>
  ({ type, properties }) =>
    type === parent && (properties as SyntaxNode[]).some((one) => one.type === part)
const isPrivate = (node: unknown) => (node as SyntaxNode | undefined)?.type === 'PrivateIdentifier'
const isOperator =
  (name: string): Test =>
  ({ operator }) =>
    operator === name

/** Syntax after ES2015. */
const SYNTAX: readonly [name: string, statement: CompatStatement, test: Test][] = [
  ['async function', syntax('statements', 'async_function'), (node) => node['async'] === true],
  ['**', syntax('operators', 'exponentiation'), isOperator('**')],
  [
    'object spread',
    syntax('operators', 'spread', 'spread_in_object_literals'),
    hasPart('ObjectExpression', 'SpreadElement'),
  ],
  [
    'object rest',
    syntax('operators', 'destructuring', 'rest_in_objects'),
    hasPart('ObjectPattern', 'RestElement'),
  ],
  [
    'catch without a name',
    syntax('statements', 'try_catch', 'optional_catch_binding'),
    ({ type, param }) => type === 'CatchClause' && !param,
  ],
  [
    'for await',
    syntax('statements', 'for_await_of'),
    ({ type, await: waits }) => type === 'ForOfStatement' && waits === true,
  ],
  ['optional chaining', syntax('operators', 'optional_chaining'), ({ type }) => type === 'ChainExpression'],
  ['??', syntax('operators', 'nullish_coalescing'), isOperator('??')],
  ['??=', syntax('operators', 'nullish_coalescing_assignment'), isOperator('??=')],
  ['||=', syntax('operators', 'logical_or_assignment'), isOperator('||=')],
  ['&&=', syntax('operators', 'logical_and_assignment'), isOperator('&&=')],
  ['class field', syntax('classes', 'public_class_fields'), ({ type }) => type === 'PropertyDefinition'],
  [
    'static field',
    syntax('classes', 'static', 'class_fields'),
    (node) => node.type === 'PropertyDefinition' && node['static'] === true,
  ],
  [
    'static block',
    syntax('classes', 'static', 'initialization_blocks'),
    ({ type }) => type === 'StaticBlock',
  ],
  ['private field', syntax('classes', 'private_class_fields'), ({ type }) => type === 'PrivateIdentifier'],
  [
    'private method',
    syntax('classes', 'private_class_methods'),
    ({ type, key }) => type === 'MethodDefinition' && isPrivate(key),
  ],
  [
    '#x in y',
    syntax('classes', 'private_class_fields_in'),
    ({ operator, left }) => operator === 'in' && isPrivate(left),
  ],
  ['import()', syntax('operators', 'import'), ({ type }) => type === 'ImportExpression'],
  [
    'import.meta',
    syntax('operators', 'import_meta'),
    ({ type, meta }) => type === 'MetaProperty' && Object(meta).name === 'import',
  ],
  [
    'numeric separator',
    syntax('grammar', 'numeric_separators'),
    ({ raw }) => typeof raw === 'string' && /^\d+_/.test(raw),
  ],
  [
    'async generator',
    syntax('statements', 'async_generator_function'),
    (node) => node['async'] === true && node['generator'] === true,
  ],
]

export const isSyntax = (name: string): boolean => SYNTAX.some(([own]) => own === name)

/** First versions of an HTML element, attribute or value. */
export const elementVersions = (...path: string[]): Versions =>
  versionsOf([statementAt(data.html.elements, path)])

export function syntaxOf(node: SyntaxNode): [name: string, since: Versions][] {
  return SYNTAX.filter(([, , test]) => test(node)).map(([name, statement]) => [name, versionsOf([statement])])
}

/** Statements by `Interface`, `Interface.member` and the name of a global function or object. */
const STATEMENTS = new Map<string, CompatStatement>()
/** `Interface.member` by `member`. */
const MEMBERS = new Map<string, string[]>()
for (const [owner, identifier] of Object.entries({ ...data.api, ...builtins } as Record<
  string,
  Identifier
>)) {
  if (identifier[COMPAT]) STATEMENTS.set(owner, identifier[COMPAT])
  for (const [key, { [COMPAT]: statement }] of Object.entries(identifier as Record<string, Identifier>)) {
    if (!statement) continue
    const member = key.replace(/_(static|event)$/, '')
    STATEMENTS.set(`${owner}.${member}`, statement)
    MEMBERS.set(member, [...(MEMBERS.get(member) ?? []), `${owner}.${member}`])
  }
}

export const members = (member: string): readonly string[] => MEMBERS.get(member) ?? []

/** First versions in which one of the candidates is supported; undefined if the data name none of them. */
export function firstVersions(candidates: readonly string[]): Versions | undefined {
  const statements = candidates.flatMap((name) => STATEMENTS.get(name) ?? [])
  return statements.length > 0 ? versionsOf(statements) : undefined
}

function versionsOf(statements: readonly CompatStatement[]): Versions {
  const first = (browser: keyof Versions) =>
    Math.min(...statements.map((statement) => firstVersion(statement, browser)))
  return {
    chrome: first('chrome'),
    webview_android: first('webview_android'),
    firefox: first('firefox'),
    safari: first('safari'),
  }
}

/** Ignores support behind a flag, under another name, and support that ended. */
function firstVersion({ support }: CompatStatement, browser: keyof Versions): number {
  const all = [support[browser] ?? []].flat()
  const usable = all.filter(
    ({ flags, prefix, alternative_name, version_removed }) =>
      !flags && !prefix && !alternative_name && !version_removed,
  )
  return Math.min(Infinity, ...usable.map(({ version_added: added }) => toNumber(added)))
}

/** `4.4.3` is 4.4. A preview, an unknown version and no support are Infinity. */
function toNumber(version: string | boolean | null | undefined): number {
  const number = parseFloat(String(version).replace('≤', ''))
  return Number.isNaN(number) ? Infinity : number
}
