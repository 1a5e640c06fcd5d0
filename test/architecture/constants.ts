/** Names of constants: what a module holds as a literal is written in capitals. */
import ts from 'typescript'
import { violation, type Project, type Violation } from './source'

/** Calls that make a constant out of literals. */
const MAKERS = new Set([
  'BigInt',
  'Number',
  'Object.freeze',
  'String',
  'Symbol',
  'Symbol.for',
  'invalid',
  'misplaced',
])
const CAPITALS = /^[A-Z][A-Z0-9_]*$/
/** The name of an enumeration, which is a value and a type. */
const ENUMERATION = /^[A-Z][A-Za-z0-9]*$/

export function constantNames({ files }: Project): Violation[] {
  return files.flatMap((file) =>
    file.statements.flatMap((statement) => constantsOf(statement).filter(isMisnamed).map(report)),
  )
}

function report({ name }: ts.VariableDeclaration): Violation {
  return violation(name, `\`${name.getText()}\` is a constant: write it in capitals`)
}

/** The constants that a statement of a module declares. */
function constantsOf(statement: ts.Statement): ts.VariableDeclaration[] {
  if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Const)) return []
  return statement.declarationList.declarations.filter(
    ({ initializer }) => initializer && !isEmpty(initializer) && isConstant(initializer),
  )
}

function isMisnamed({ name, initializer }: ts.VariableDeclaration): boolean {
  if (!ts.isIdentifier(name) || CAPITALS.test(name.text)) return false
  return !(initializer && isObject(plain(initializer)) && ENUMERATION.test(name.text))
}

/** True for `{ … }` and `Object.freeze({ … })`. */
function isObject(node: ts.Expression): boolean {
  return ts.isObjectLiteralExpression(node) || (ts.isCallExpression(node) && node.arguments.some(isObject))
}

/** What an assertion, as in `[1, 2] as const`, is about. */
function plain(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)
  return isWrapped ? plain(node.expression) : node
}

/** An empty container is filled later. */
function isEmpty(given: ts.Expression): boolean {
  const node = plain(given)
  if (ts.isNewExpression(node)) return !node.arguments?.length
  return (
    (ts.isArrayLiteralExpression(node) && node.elements.length === 0) ||
    (ts.isObjectLiteralExpression(node) && node.properties.length === 0)
  )
}

/** A literal of any depth, without functions and instances. */
function isConstant(given: ts.Expression): boolean {
  const node = plain(given)
  if (
    ts.isLiteralExpression(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword
  )
    return true
  if (ts.isPrefixUnaryExpression(node)) return isPart(node.operand)
  if (ts.isTemplateExpression(node)) return node.templateSpans.every(({ expression }) => isPart(expression))
  if (ts.isBinaryExpression(node))
    return isArithmetic(node.operatorToken.kind) && isPart(node.left) && isPart(node.right)
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isPart)
  if (ts.isObjectLiteralExpression(node)) return node.properties.every(isConstantProperty)
  if (ts.isNewExpression(node))
    return /^(?:Map|Set)$/.test(node.expression.getText()) && !!node.arguments?.every(isPart)
  return ts.isCallExpression(node) && MAKERS.has(node.expression.getText()) && node.arguments.every(isPart)
}

/** A part of a constant may be another name. */
function isPart(given: ts.Expression): boolean {
  const node = plain(given)
  if (ts.isSpreadElement(node)) return isPart(node.expression)
  return (
    ts.isIdentifier(node) ||
    ts.isPropertyAccessExpression(node) ||
    node.kind === ts.SyntaxKind.NullKeyword ||
    isConstant(node)
  )
}

function isConstantProperty(property: ts.ObjectLiteralElementLike): boolean {
  if (ts.isPropertyAssignment(property)) return isPart(property.initializer)
  if (ts.isSpreadAssignment(property)) return isPart(property.expression)
  return ts.isShorthandPropertyAssignment(property)
}

const isArithmetic = (operator: ts.SyntaxKind): boolean =>
  [
    ts.SyntaxKind.PlusToken,
    ts.SyntaxKind.MinusToken,
    ts.SyntaxKind.AsteriskToken,
    ts.SyntaxKind.AsteriskAsteriskToken,
    ts.SyntaxKind.SlashToken,
    ts.SyntaxKind.BarToken,
    ts.SyntaxKind.LessThanLessThanToken,
  ].includes(operator)
