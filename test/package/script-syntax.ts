/** Analyzes built scripts: the syntax they need, the modules they load, and whether they evaluate strings as code. */
import ts from 'typescript'
import { walk } from '../architecture/source'

export interface Finding {
  readonly what: string
  readonly at: string
}

/** Syntax later than ES2017, by kind of node. */
const LATER: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.SpreadAssignment]: 'object spread (ES2018)',
  [ts.SyntaxKind.PropertyDeclaration]: 'a class field (ES2022)',
  [ts.SyntaxKind.ClassStaticBlockDeclaration]: 'a static block (ES2022)',
  [ts.SyntaxKind.PrivateIdentifier]: 'a private name (ES2022)',
  [ts.SyntaxKind.BigIntLiteral]: 'a BigInt literal (ES2020)',
  [ts.SyntaxKind.QuestionDotToken]: 'optional chaining (ES2020)',
  [ts.SyntaxKind.QuestionQuestionToken]: '?? (ES2020)',
  [ts.SyntaxKind.QuestionQuestionEqualsToken]: '??= (ES2021)',
  [ts.SyntaxKind.BarBarEqualsToken]: '||= (ES2021)',
  [ts.SyntaxKind.AmpersandAmpersandEqualsToken]: '&&= (ES2021)',
  [ts.SyntaxKind.ImportDeclaration]: 'import (a module, not a script)',
  [ts.SyntaxKind.ExportDeclaration]: 'export (a module, not a script)',
  [ts.SyntaxKind.ExportAssignment]: 'export (a module, not a script)',
}

/** Returns the uses of syntax that an ES2017 engine cannot parse. */
export function laterThanES2017(code: string): Finding[] {
  return findings(code, (node) => LATER[node.kind] ?? laterByShape(node))
}

/** Most findings follow from the kind of node; the cases below need its details. */
function laterByShape(node: ts.Node): string | undefined {
  if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) return 'import.meta (ES2020)'
  if (ts.isCatchClause(node) && !node.variableDeclaration) return 'catch without a name (ES2019)'
  if (ts.isForOfStatement(node) && node.awaitModifier) return 'for await (ES2018)'
  if (ts.isFunctionLike(node) && 'asteriskToken' in node && node.asteriskToken && isAsync(node)) return 'an async generator (ES2018)'
  if (ts.isBindingElement(node) && node.dotDotDotToken && ts.isObjectBindingPattern(node.parent)) return 'object rest (ES2018)'
  if (ts.isNumericLiteral(node) && node.getText().includes('_')) return 'a numeric separator (ES2021)'
  if (ts.isAwaitExpression(node) && !ts.findAncestor(node, ts.isFunctionLike)) return 'top-level await (ES2022)'
  if (ts.isRegularExpressionLiteral(node)) return laterPattern(node.text)
  return undefined
}

function laterPattern(literal: string): string | undefined {
  if (/\/[a-z]*[sdv][a-z]*$/.test(literal)) return 'a regular expression flag (ES2018 or later)'
  if (/\(\?<[=!]/.test(literal)) return 'lookbehind (ES2018)'
  if (/\(\?<\w/.test(literal)) return 'a named group (ES2018)'
  return /\\p\{/i.test(literal) ? 'a Unicode property (ES2018)' : undefined
}

const isAsync = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) && !!ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)

/** Code made from strings, which pages without `unsafe-eval` block. */
export function codeFromText(code: string): Finding[] {
  return findings(code, (node) => {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined
    const callee = node.expression.getText().replace(/^(?:globalThis|window|self)\./, '')
    if (callee === 'eval' || callee === 'Function') return callee
    const timer = /^set(?:Timeout|Interval)$/.test(callee) && node.arguments?.[0]
    return timer && ts.isStringLiteralLike(timer) ? `${callee} with text` : undefined
  })
}

/** Returns every module that a script loads, static or dynamic. A computed specifier is returned as source text. */
export function loads(code: string): string[] {
  const tree = parse(code)
  const found: string[] = []
  for (const node of walk(tree)) {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) found.push(textOf(node.moduleSpecifier))
    if (!ts.isCallExpression(node)) continue
    const loader = node.expression.kind === ts.SyntaxKind.ImportKeyword || /^(?:require|importScripts)$/.test(node.expression.getText())
    if (loader && node.arguments[0]) found.push(textOf(node.arguments[0]))
  }
  return found
}

const textOf = (node: ts.Node): string => (ts.isStringLiteralLike(node) ? node.text : node.getText())

function findings(code: string, look: (node: ts.Node) => string | undefined): Finding[] {
  const tree = parse(code)
  const found: Finding[] = []
  for (const node of walk(tree)) {
    const what = look(node)
    if (what !== undefined) found.push({ what, at: node.getText().slice(0, 60) })
  }
  return found
}

function parse(code: string): ts.SourceFile {
  const tree = ts.createSourceFile('script.js', code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS)
  const { diagnostics = [] } = ts.transpileModule(code, {
    reportDiagnostics: true,
    fileName: 'script.js',
    compilerOptions: { allowJs: true },
  })
  const [first] = diagnostics
  if (first) throw new Error(`It does not parse: ${ts.flattenDiagnosticMessageText(first.messageText, ' ')}`)
  return tree
}
