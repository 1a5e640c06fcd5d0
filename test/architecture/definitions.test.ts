/** From a public call to the wire, "go to definition" leads to code and never to an interface. */
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const SOURCE = join(process.cwd(), 'src/')
/** What sends every request of the SDK. */
const WIRE = 'sendRequest'

function programOf(): ts.Program {
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${SOURCE}tsconfig.json`, (path) => ts.sys.readFile(path)).config,
    ts.sys,
    SOURCE,
  )
  const program = ts.createProgram(fileNames, { ...options, noEmit: true })
  // Gives each node its parent.
  program.getTypeChecker()
  return program
}

/** The body of what is declared; undefined for an interface, a type or a value that is no function. */
function bodyOf(declaration: ts.Node): ts.Node | undefined {
  if (ts.isFunctionLike(declaration)) return 'body' in declaration ? declaration.body : undefined
  const hasValue =
    ts.isVariableDeclaration(declaration) ||
    ts.isPropertyAssignment(declaration) ||
    ts.isPropertyDeclaration(declaration)
  return hasValue && declaration.initializer ? bodyOf(declaration.initializer) : undefined
}

/** Where "go to definition" leads from the name of a called function. */
function definitionOf(checker: ts.TypeChecker, { expression }: ts.CallExpression): ts.Node | undefined {
  const found = checker.getSymbolAtLocation(
    ts.isPropertyAccessExpression(expression) ? expression.name : expression,
  )
  const symbol = found && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found
  const declaration = symbol?.declarations?.[0]
  if (!declaration || !ts.isShorthandPropertyAssignment(declaration)) return declaration
  return checker.getShorthandAssignmentValueSymbol(declaration)?.declarations?.[0]
}

function callsIn(node: ts.Node): ts.CallExpression[] {
  const found: ts.CallExpression[] = []
  const visit = (child: ts.Node): void => {
    if (ts.isCallExpression(child)) found.push(child)
    ts.forEachChild(child, visit)
  }
  visit(node)
  return found
}

const nameOf = (node: ts.Node): string => ('name' in node ? (node.name as ts.Node).getText() : '')

/** The functions between a method and the wire, by the shortest way; empty if an interface is in between. */
function wayToWire(program: ts.Program, start: ts.Node): string[] {
  const checker = program.getTypeChecker()
  const from = new Map<ts.Node, ts.Node | undefined>([[start, undefined]])
  for (const node of from.keys()) {
    if (nameOf(node) === WIRE) {
      const way: string[] = []
      for (let step: ts.Node | undefined = node; step; step = from.get(step)) way.unshift(nameOf(step))
      return way
    }
    for (const call of callsIn(bodyOf(node) ?? node)) {
      const definition = definitionOf(checker, call)
      if (definition && bodyOf(definition) && !from.has(definition)) from.set(definition, node)
    }
  }
  return []
}

function methodOf(program: ts.Program, file: string, name: string): ts.Node {
  const statements = program.getSourceFile(SOURCE + file)?.statements ?? []
  const members = [...statements].flatMap((statement) =>
    ts.isClassDeclaration(statement) ? [...statement.members] : [],
  )
  const method = members.find((member) => nameOf(member) === name)
  if (!method) throw new Error(`${file} has no ${name}`)
  return method
}

const program = programOf()

// The numbers are those of today: whoever adds a function in between says why.
test.each([
  ['signIn', 'client/sign-in/sign-in-client.ts', 7],
  ['refreshToken', 'client/sign-in/sign-in-client.ts', 8],
  ['resume', 'client/core-client.ts', 12],
  ['createOrJoinLobby', 'client/core-client.ts', 9],
  ['fetchCurrentUser', 'client/core-client.ts', 7],
  ['send', 'client/lobbies/lobby.ts', 8],
  ['fetchMessages', 'client/lobbies/lobby.ts', 7],
  ['leave', 'client/lobbies/lobby.ts', 8],
])('%s leads to the wire', (name, file, most) => {
  const way = wayToWire(program, methodOf(program, file, name))
  expect(way.slice(-1)).toEqual([WIRE])
  expect(way.slice(most)).toEqual([])
})

test('an interface in between is noticed', () => {
  const text = `
    function sendRequest() {}
    interface Port { ask(): void }
    class Direct { ask() { send() } }
    class Hidden { constructor(readonly port: Port) {} ask() { this.port.ask() } }
    function send() { sendRequest() }`
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true)
  const host = {
    ...ts.createCompilerHost({}),
    getSourceFile: (name: string) => (name === 'a.ts' ? file : undefined),
  }
  const small = ts.createProgram(['a.ts'], { noLib: true }, host)
  const [direct, hidden] = file.statements
    .filter(ts.isClassDeclaration)
    .map(({ members }) => members.find((member) => nameOf(member) === 'ask'))
  expect([direct, hidden].map((method) => method && wayToWire(small, method))).toEqual([
    ['ask', 'send', WIRE],
    [],
  ])
})
