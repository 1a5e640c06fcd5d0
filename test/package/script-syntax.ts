/** Analyzes built scripts: the syntax they need, the modules they load, and whether they evaluate strings as code. */
import { parse as parseScript } from 'acorn'
import ts from 'typescript'
import { walk } from '../architecture/source'

export interface Finding {
  readonly what: string
  readonly at: string
}

/** Returns what an engine of this edition of ECMAScript cannot parse; undefined if it can parse the script. */
export function syntaxFault(code: string, ecmaVersion: 5 | 2017 | 2021 | 2022): string | undefined {
  try {
    parseScript(code, { ecmaVersion, sourceType: 'script' })
    return undefined
  } catch (error) {
    return String(error)
  }
}

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
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
      found.push(textOf(node.moduleSpecifier))
    if (!ts.isCallExpression(node)) continue
    const loader =
      node.expression.kind === ts.SyntaxKind.ImportKeyword ||
      /^(?:require|importScripts)$/.test(node.expression.getText())
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
