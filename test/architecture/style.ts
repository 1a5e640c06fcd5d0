/** Style rules: sizes, names, type assertions, and modules without side effects on import. */
import ts from 'typescript'
import {
  ACCESSORS,
  CALLS_ON_IMPORT,
  BODY_CHECKS,
  CASTS,
  FORBIDDEN_WORDS,
  ISSUES,
  LIMITS,
  MODULE_STATE,
  SCRIPTS,
} from './import-rules'
import { violation, walk, type Violation, type Project } from './source'

/** Runs a check on every node of every file. */
const perNode =
  (check: (node: ts.Node, file: ts.SourceFile) => string | undefined) =>
  ({ files }: Project): Violation[] =>
    files.flatMap((file) =>
      walk(file).flatMap((node) => {
        const rule = check(node, file)
        return rule === undefined ? [] : violation(node, rule)
      }),
    )

/** Runs a check on every file. */
const perFile =
  (check: (file: ts.SourceFile) => string | undefined) =>
  ({ files }: Project): Violation[] =>
    files.flatMap((file) => {
      const rule = check(file)
      return rule === undefined ? [] : [{ file: file.fileName, line: 1, rule }]
    })

export const fileLength = perFile((file) => {
  const lines = file.text.trimEnd().split('\n').length
  return lines > LIMITS.fileLines
    ? `has ${lines} lines, more than ${LIMITS.fileLines}: is it one idea?`
    : undefined
})

export const functionLength = perNode((node, file) => {
  if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return undefined
  const first = file.getLineAndCharacterOfPosition(node.getStart(file)).line
  const lines = file.getLineAndCharacterOfPosition(node.getEnd()).line - first + 1
  const limit = file.fileName.endsWith('.tsx') ? LIMITS.componentLines : LIMITS.functionLines
  return lines > limit
    ? `a function of ${lines} lines, more than ${limit}: pure functions decide, short ones act`
    : undefined
})

export const booleanParameter = perNode((node) => {
  if (!ts.isParameter(node) || isAsserted(node)) return undefined
  const types = node.type && ts.isUnionTypeNode(node.type) ? node.type.types : [node.type]
  const typed = types.some(
    (type) =>
      type &&
      (type.kind === ts.SyntaxKind.BooleanKeyword ||
        isTrueOrFalse(ts.isLiteralTypeNode(type) ? type.literal : type)),
  )
  const given = node.initializer !== undefined && isTrueOrFalse(node.initializer)
  return typed || given
    ? `\`${node.name.getText()}\` is a positional boolean, which makes calls unreadable: name it in an options object`
    : undefined
})

/** `function require(ok: boolean): asserts ok`: the boolean is the asserted condition, not a flag. */
function isAsserted({ name, parent }: ts.ParameterDeclaration): boolean {
  return (
    !!parent.type &&
    ts.isTypePredicateNode(parent.type) &&
    !!parent.type.assertsModifier &&
    parent.type.parameterName.getText() === name.getText()
  )
}

const isTrueOrFalse = (node: ts.Node): boolean =>
  node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword

export const privateByName = perNode((node) => {
  if (!ts.isClassElement(node) && !ts.isTypeElement(node)) return undefined
  const keyword =
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.PrivateKeyword)
  const underscored = node.name !== undefined && node.name.getText().startsWith('_')
  // A private constructor has no # form.
  if (keyword && !ts.isConstructorDeclaration(node))
    return 'write #name, not `private`: types are erased when the code runs'
  return underscored ? 'write #name, not _name: an underscore does not protect it' : undefined
})

/** Fields that are read from a spread object come from `Object.prototype` too: `ownFields` has no prototype. */
export const ownOptions = perNode((node, file) =>
  /^src\/(?:server|desktop)\//.test(file.fileName) &&
  ts.isVariableDeclaration(node) &&
  ts.isObjectBindingPattern(node.name) &&
  node.initializer !== undefined &&
  ts.isObjectLiteralExpression(node.initializer) &&
  node.initializer.properties.length > 0 &&
  node.initializer.properties.every(ts.isSpreadAssignment)
    ? 'reads fields of the prototype: use ownFields'
    : undefined,
)

export const noAny = perNode((node) =>
  node.kind === ts.SyntaxKind.AnyKeyword ? 'no `any`: write `unknown` and check before use' : undefined,
)

/** `CheckedBody.of(value, { check })` is only as good as what it names. */
export const namedChecks = perNode((node) => {
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'CheckedBody.of') return undefined
  const rule = node.arguments[1]
  const check =
    rule && ts.isObjectLiteralExpression(rule)
      ? rule.properties.find((each) => each.name?.getText() === 'check')
      : undefined
  return check && (ts.isShorthandPropertyAssignment(check) || BODY_CHECKS.test(check.getText()))
    ? undefined
    : 'a body is checked by nothing: name the function that returns the issues of its shape (BODY_CHECKS)'
})

export const casts = perNode((node, file) => {
  if (!ts.isAsExpression(node) && !ts.isTypeAssertionExpression(node) && !ts.isNonNullExpression(node))
    return undefined
  if (!ts.isNonNullExpression(node) && ts.isConstTypeReference(node.type)) return undefined
  return file.fileName in CASTS
    ? undefined
    : 'a type assertion outside the listed files (CASTS): decode the value, or narrow it'
})

/** Rules write the place of an issue, its text and its bounds in one way. A second way forgets what the first has learned. */
export const handMadeIssue = perNode((node, file) =>
  !(file.fileName in ISSUES) && (isIssue(node) || isValidationError(node))
    ? 'makes an issue by hand: apply a rule, and give the issues to `refuse` (ISSUES)'
    : undefined,
)

const isIssue = (node: ts.Node): boolean =>
  ts.isObjectLiteralExpression(node) &&
  ['path', 'code', 'level'].every((field) => node.properties.some(({ name }) => name?.getText() === field))

const isValidationError = (node: ts.Node): boolean =>
  ts.isNewExpression(node) && node.expression.getText() === 'ValidationError'

/**
 * V8 makes a hidden class for each object literal with accessors. It outlives every quick collection, and so does all that the accessors
 * refer to: a wait for a request that was made so took a third of the request's processor time.
 */
export const ownAccessors = perNode((node, file) =>
  ts.isAccessor(node) &&
  ts.isObjectLiteralExpression(node.parent) &&
  ts.findAncestor(node.parent, ts.isFunctionLike) &&
  !(file.fileName in ACCESSORS)
    ? 'an object with accessors of its own, made by each call, stays in memory for long: write a class'
    : undefined,
)

export const openingSentence = perFile((file) =>
  /^(?:\/\*\* \S.*[.!?](?: @module \S+)? \*\/|\/\/ \S.*[.!?])$/.test(
    file.text.slice(0, file.text.indexOf('\n')),
  )
    ? undefined
    : 'the first line is a comment: one sentence that describes the file, with a full stop',
)

export const fileName = perFile((file) =>
  file.fileName.split('/').every((part) => /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z]+)*$/.test(part))
    ? undefined
    : 'file and folder names are kebab-case',
)

export const forbiddenWords = perNode((node, file) => {
  const words = FORBIDDEN_WORDS.join('|')
  if (ts.isSourceFile(node)) {
    const word = new RegExp(`(?:^|[/-])(${words})s?(?=[./-])`, 'i').exec(file.fileName)?.[1]
    return word ? `"${word}" in a path is meaningless: name the concept` : undefined
  }
  if (
    !ts.isIdentifier(node) ||
    !('name' in node.parent && node.parent.name === node) ||
    ts.isPropertyAccessExpression(node.parent)
  )
    return undefined
  const word = new RegExp(`(?:^|[a-z0-9])(${words})s?(?=$|[A-Z])`).exec(node.text)?.[1]
  if (word) return `"${word}" in \`${node.text}\` is meaningless: name the concept`
  const prefixed =
    (ts.isInterfaceDeclaration(node.parent) || ts.isTypeAliasDeclaration(node.parent)) &&
    /^I[A-Z][a-z]/.test(node.text)
  return prefixed ? `no I prefix on \`${node.text}\`` : undefined
})

/** Reports module-level state: all clients of a page would share it, and they must be independent. */
export function moduleState({ files }: Project): Violation[] {
  const found: Violation[] = []
  for (const file of files) {
    if (SCRIPTS.includes(file.fileName) || file.fileName in MODULE_STATE) continue
    for (const statement of file.statements) {
      if (!ts.isVariableStatement(statement)) continue
      if (statement.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.DeclareKeyword)) continue
      if (!(statement.declarationList.flags & ts.NodeFlags.Const)) {
        if (isPrivateAccessor(statement, file)) continue
        found.push(violation(statement, 'no `let` or `var` at module level: state belongs to a client'))
        continue
      }
      for (const { initializer } of statement.declarationList.declarations) {
        if (initializer && isEmptyContainer(initializer))
          found.push(
            violation(
              statement,
              'an empty container at module level is shared state: it belongs to a client',
            ),
          )
      }
    }
  }
  return found
}

/** Allows the one use of `let`: a class assigns a function that accesses its private members, once, in a static block. */
function isPrivateAccessor(
  { modifiers, declarationList }: ts.VariableStatement,
  file: ts.SourceFile,
): boolean {
  const names = declarationList.declarations.map((each) =>
    each.initializer ? undefined : each.name.getText(file),
  )
  const assignments = walk(file)
    .filter(isAssignment)
    .filter(({ left }) => names.includes(left.getText(file)))
  return (
    !modifiers?.length &&
    assignments.length === names.length &&
    assignments.every(({ parent }) => isInStaticBlock(parent))
  )
}

const isAssignment = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken

/** Matches `static { access = … }`: the statement itself, not a function that may run again. */
const isInStaticBlock = (node: ts.Node): boolean =>
  ts.isExpressionStatement(node) && ts.isClassStaticBlockDeclaration(node.parent.parent)

function isEmptyContainer(node: ts.Expression): boolean {
  if (
    ts.isNewExpression(node) &&
    ts.isIdentifier(node.expression) &&
    /^(?:Weak)?(?:Map|Set)$/.test(node.expression.text)
  )
    return !node.arguments?.length
  return (
    (ts.isArrayLiteralExpression(node) && node.elements.length === 0) ||
    (ts.isObjectLiteralExpression(node) && node.properties.length === 0)
  )
}

/** Reports side effects on import: a bundler may drop or move every module. */
export function importIsSilent({ files }: Project): Violation[] {
  const found: Violation[] = []
  for (const file of files) {
    if (SCRIPTS.includes(file.fileName)) continue
    for (const node of walkOnImport(file)) {
      const action = actionOf(node)
      if (action !== undefined)
        found.push(violation(node, `a module has no side effect on import, but this is ${action}`))
    }
  }
  return found
}

/** Yields the nodes that run while the module loads: no function bodies, and only static members of classes. */
function* walkOnImport(node: ts.Node): Generator<ts.Node> {
  if (
    ts.isFunctionLike(node) ||
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  )
    return
  if (
    ts.isPropertyDeclaration(node) &&
    !node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.StaticKeyword)
  )
    return
  yield node
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(child))
  for (const child of children) yield* walkOnImport(child)
}

function actionOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) && !node.importClause) return 'an import for its side effect'
  if (ts.isAwaitExpression(node)) return 'an await'
  if (ts.isIterationStatement(node, false)) return 'a loop'
  if (ts.isTaggedTemplateExpression(node)) return `a call of ${node.tag.getText()}`
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined
  const callee = (ts.isNewExpression(node) ? 'new ' : '') + node.expression.getText()
  if (isOwnMember(node)) return undefined
  return CALLS_ON_IMPORT.includes(callee) ? undefined : `a call of ${callee}`
}

/** Allows a class to create its own constants: constructors only assign, and its private statics belong to the same declaration. */
function isOwnMember(node: ts.CallExpression | ts.NewExpression): boolean {
  const within = ts.findAncestor(node, ts.isClassDeclaration)?.name?.text
  const callee = node.expression
  if (ts.isNewExpression(node)) return ts.isIdentifier(callee) && callee.text === within
  return (
    ts.isPropertyAccessExpression(callee) &&
    ts.isPrivateIdentifier(callee.name) &&
    callee.expression.getText() === within
  )
}
