/** Globals rule: only platform-specific files use the globals of the browser, Node, time and the network. */
import ts from 'typescript'
import { GLOBALS } from './import-rules'
import { violation, walk, type Violation, type Project } from './source'

/** Finds globals that a file uses but is not allowed to. */
export function globalNames({ files, checker }: Project): Violation[] {
  const found: Violation[] = []
  for (const file of files) {
    for (const node of walk(file)) {
      const name = globalName(node, checker)
      if (name === undefined) continue
      for (const { names, only, instead } of GLOBALS) {
        if (!names.includes(name) || only.some((path) => file.fileName.startsWith(path))) continue
        found.push(
          violation(node, `${name} may be named only in ${only.join(', ') || 'no file'}: ${instead}`),
        )
      }
    }
  }
  return found
}

/** Returns the global that a node names: `window`, `globalThis.window`, `globalThis['window']`, `const { window } = globalThis`, `Date.now`, `new Date()`. */
function globalName(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  const call = timeOf(node, checker)
  if (call !== undefined) return call
  if (ts.isIdentifier(node)) return isReference(node) && isGlobal(node, checker) ? node.text : undefined
  if (ts.isBindingElement(node) && ts.isVariableDeclaration(node.parent.parent)) {
    const source = node.parent.parent.initializer
    const name = node.propertyName ?? node.name
    return source && isGlobalObject(source, checker) && ts.isIdentifier(name) ? name.text : undefined
  }
  const member = memberOf(node)
  if (!member) return undefined
  return isGlobalObject(member.object, checker) ? member.name : undefined
}

/** Recognizes clock calls: `Date.now`, `AbortSignal.timeout`, `new Date()` and `Date()` without an argument. */
function timeOf(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  const member = memberOf(node)
  if (
    member &&
    ['Date.now', 'AbortSignal.timeout'].includes(`${baseName(member.object, checker)}.${member.name}`)
  ) {
    return `${baseName(member.object, checker)}.${member.name}`
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined
  if (baseName(node.expression, checker) !== 'Date') return undefined
  if (ts.isCallExpression(node)) return 'Date()'
  return node.arguments?.length ? undefined : 'new Date()'
}

/** Returns the name of a global, also as a member of the global object. */
function baseName(node: ts.Expression, checker: ts.TypeChecker): string | undefined {
  const inner = unwrap(node)
  if (ts.isIdentifier(inner)) return isGlobal(inner, checker) ? inner.text : undefined
  const member = memberOf(inner)
  return member && isGlobalObject(member.object, checker) ? member.name : undefined
}

function memberOf(node: ts.Node): { object: ts.Expression; name: string } | undefined {
  if (ts.isPropertyAccessExpression(node)) return { object: node.expression, name: node.name.text }
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return { object: node.expression, name: node.argumentExpression.text }
  }
  return undefined
}

/** Removes parentheses, casts and `!`. */
function unwrap(node: ts.Expression): ts.Expression {
  const covered =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  return covered ? unwrap(node.expression) : node
}

function isGlobalObject(node: ts.Expression, checker: ts.TypeChecker): boolean {
  const inner = unwrap(node)
  return (
    ts.isIdentifier(inner) &&
    ['globalThis', 'self', 'global'].includes(inner.text) &&
    isGlobal(inner, checker)
  )
}

/** A name without a declaration is a global: no library is loaded beside the files themselves. */
function isGlobal(node: ts.Identifier, checker: ts.TypeChecker): boolean {
  const shorthand = ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node
  const symbol = shorthand
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node)
  return !symbol?.declarations?.length
}

/** Returns true for a name that is read, not for a declaration, a label, a property or a type. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isShorthandPropertyAssignment(parent)) return parent.name === node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isTypeQueryNode(parent)) return false
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isTypeNode(parent))
    return ts.isExpressionWithTypeArguments(parent)
  return (
    !('name' in parent && parent.name === node) && !('propertyName' in parent && parent.propertyName === node)
  )
}
