/** Removes the types of a module, and keeps the rest as it is written, blank lines and comments too. */
import { extname } from 'node:path'
import ts from 'typescript'

/**
 * @param {string} code
 * @param {string} file Its extension says whether the module has JSX.
 */
export function removeTypes(code, file) {
  const kind = extname(file) === '.tsx' ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.ESNext, true, kind)
  /** @type {[from: number, to: number][]} */
  const cuts = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    const own = cutsOf(node)
    cuts.push(...own)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return withoutParts(code, cuts)
}

/**
 * @param {ts.Node} node
 * @returns {[from: number, to: number][]}
 */
function cutsOf(node) {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
    return [[node.getFullStart(), node.end]]
  // The comment before it is that of the file.
  if (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly) return [[node.getStart(), node.end + 1]]
  if (ts.isImportSpecifier(node) && node.isTypeOnly) return [[node.getFullStart(), node.end + 1]]
  if (ts.isAsExpression(node) || ts.isNonNullExpression(node)) return [[node.expression.end, node.end]]
  if (ts.isCallExpression(node) || ts.isNewExpression(node))
    return node.typeArguments ? [withBrackets(node.typeArguments)] : []
  if (ts.isPropertyDeclaration(node) && !node.initializer) return [[node.getFullStart(), node.end]]
  return hasType(node)
    ? [[(node.exclamationToken ?? node.questionToken)?.pos ?? node.type.pos - 1, node.type.end]]
    : []
}

/** @param {ts.NodeArray<ts.Node>} list @returns {[from: number, to: number]} */
const withBrackets = ({ pos, end }) => [pos - 1, end + 1]

/**
 * @param {ts.Node} node
 * @returns {node is ts.Node & { type: ts.TypeNode, questionToken?: ts.Node, exclamationToken?: ts.Node }}
 */
const hasType = (node) =>
  (ts.isParameter(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isFunctionLike(node)) &&
  'type' in node &&
  node.type !== undefined

/**
 * @param {string} code
 * @param {[from: number, to: number][]} cuts
 */
function withoutParts(code, cuts) {
  let [kept, end] = ['', 0]
  for (const [from, to] of cuts.toSorted(([left], [right]) => left - right)) {
    if (from < end) continue
    kept += code.slice(end, from)
    end = to
  }
  return kept + code.slice(end)
}
