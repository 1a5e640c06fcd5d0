/** Compiles private names to hidden ordinary properties. As WeakMaps, the default before ES2022, they would be 3 kB of the classic script. */
import { type ESTree, parseSync, type Plugin, Visitor } from 'vite'

/** Names that the minifier may shorten. */
export const PRIVATE = /^\$[a-z]/i

const HIDE = 'foyer:hide'

/** `JSON.stringify`, `console.log`, `Object.keys` and `{...spread}` skip hidden properties. An existing one is a private method of the class. */
const HIDE_MODULE = `export function hide(object, names) {
  for (const name in names) if (!(name in object)) Object.defineProperty(object, name, { writable: true })
}`

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A class with private names, or one that may extend such a class. */
export interface PrivateClass {
  readonly name: string | undefined
  readonly base: string | undefined
  readonly privates: readonly string[]
}

/**
 * `#name` becomes `$name` in the modules of a folder. Fields must be compiled to assignments (`setPublicClassFields`), which keep them
 * hidden.
 */
export function privateNames(folder: string): Plugin {
  const classes: PrivateClass[] = []
  return {
    name: 'private-names',
    enforce: 'pre',
    resolveId: (source) => (source === HIDE ? `\0${HIDE}` : undefined),
    load: (id) => (id === `\0${HIDE}` ? HIDE_MODULE : undefined),
    transform(code, id) {
      if (!id.startsWith(folder)) return undefined
      const compiled = compilePrivateNames(id, code)
      classes.push(...compiled.classes)
      return compiled.code === code ? undefined : { code: compiled.code, map: null }
    },
    buildEnd: () => requireDistinctNames(classes),
  }
}

/** Every line keeps its number, as a source map requires. */
export function compilePrivateNames(id: string, code: string): { code: string; classes: readonly PrivateClass[] } {
  const edits: Edit[] = []
  const classes: PrivateClass[] = []
  const names = new Map<ESTree.Class, string>()
  const open: ESTree.Class[] = []
  const enter = (node: ESTree.Class) => {
    open.push(node)
    const privates = privateNamesOf(node)
    classes.push({ name: node.id?.name ?? names.get(node), base: baseOf(node), privates })
    edits.push(...fieldEdits(node, privates))
  }
  const leave = () => void open.pop()
  new Visitor({
    VariableDeclarator: ({ id: variable, init }) => {
      if (init?.type === 'ClassExpression' && variable.type === 'Identifier') names.set(init, variable.name)
    },
    ClassDeclaration: enter,
    ClassExpression: enter,
    'ClassDeclaration:exit': leave,
    'ClassExpression:exit': leave,
    BinaryExpression: (node) => void edits.push(...brandCheck(node, open)),
    PrivateIdentifier: ({ start, end, name }) => void edits.push({ start, end, text: `$${name}` }),
  }).visit(parseSync(id, code).program)
  return { code: edits.length > 0 ? `${apply(edits, code)}\nimport { hide } from '${HIDE}'` : code, classes }
}

/** A class and one that it extends would share a property. @throws Error that names both. */
export function requireDistinctNames(classes: readonly PrivateClass[]): void {
  const byName = new Map(classes.flatMap((each) => (each.name === undefined ? [] : [[each.name, each]])))
  for (const { name, base, privates } of classes)
    for (let above = byName.get(base ?? ''); above; above = byName.get(above.base ?? '')) {
      const shared = privates.find((each) => above.privates.includes(each))
      if (shared !== undefined) throw new Error(`${name} and its base class ${above.name} both have #${shared}: rename one of them.`)
    }
}

function baseOf({ superClass }: ESTree.Class): string | undefined {
  if (!superClass) return undefined
  if (superClass.type !== 'Identifier') throw new Error('A class extends something without a name.')
  return superClass.name
}

type PrivateMember = Extract<ESTree.ClassElement, { key: unknown }> & { key: ESTree.PrivateIdentifier }

const privateMembers = ({ body }: ESTree.Class): PrivateMember[] =>
  body.body.filter((member): member is PrivateMember => 'key' in member && member.key.type === 'PrivateIdentifier' && !member.static)

const privateNamesOf = (node: ESTree.Class): string[] => [...new Set(privateMembers(node).map(({ key }) => key.name))]

/** The first field hides all names. A field without a value then needs no further code. */
function fieldEdits(node: ESTree.Class, privates: readonly string[]): Edit[] {
  const hiding = `hide(this, { ${privates.map((name) => `$${name}: 0`).join(', ')} })`
  const fields = privateMembers(node).flatMap((member) => (member.type === 'PropertyDefinition' ? [member] : []))
  return fields.flatMap(({ key, value, start, end }, i) => {
    if (!value) return { start, end, text: i > 0 ? '' : `$${key.name} = ${hiding}` }
    if (i > 0) return []
    return [
      { start: value.start, end: value.start, text: `(${hiding}, ` },
      { start: value.end, end: value.end, text: ')' },
    ]
  })
}

/** Compiles `#name in it`: an object that was parsed or copied is not an instance of the class, whatever its properties are. */
function brandCheck({ left, right }: ESTree.BinaryExpression | ESTree.PrivateInExpression, open: readonly ESTree.Class[]): Edit[] {
  if (left.type !== 'PrivateIdentifier') return []
  const className = open.findLast((node) => privateNamesOf(node).includes(left.name))?.id?.name
  if (right.type !== 'Identifier' || className === undefined) throw new Error('A brand check needs two names.')
  return [{ start: left.start, end: left.end, text: `${right.name} instanceof ${className} && '$${left.name}'` }]
}

/** Applies the edits in order. Of two edits at the same place the first wins. An edit inside replaced code is dropped. */
function apply(edits: readonly Edit[], code: string): string {
  let at = 0
  let applied = ''
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at) continue
    applied += code.slice(at, start) + text
    at = end
  }
  return applied + code.slice(at)
}
