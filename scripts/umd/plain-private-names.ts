/** Compiles private names to hidden ordinary properties. As WeakMaps, the ES2017 default, they would be a tenth of the classic script. */
import { type ESTree, parseSync, type Plugin, Visitor } from 'vite'

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Replacements of the private names of one class. */
interface Scope {
  readonly className: string | undefined
  readonly plain: ReadonlyMap<string, string>
}

/** Transforms the one file that contains every class. */
export function plainPrivateNames(): Plugin {
  return { name: 'plain-private-names', renderChunk: (code) => ({ code: withPlainNames(code), map: null }) }
}

/**
 * `#name` becomes `$0`, `$1` and so on, numbered per class, and continued in a class that extends it. The remaining fields must then
 * be compiled to assignments (`setPublicClassFields`), which keeps them hidden.
 */
export function withPlainNames(code: string): string {
  const edits: Edit[] = []
  const scopes: Scope[] = []
  const names = new Map<ESTree.Class, string>()
  /** Per class: its private names and those of its base classes. */
  const totals = new Map<string, number>()
  const enter = (node: ESTree.Class) => {
    const className = names.get(node) ?? node.id?.name
    const first = inherited(node, totals)
    const { fields, all } = privateMembers(node)
    scopes.push({ className, plain: new Map(all.map((name, i) => [name, `$${first + i}`])) })
    if (className !== undefined) totals.set(className, first + all.length)
    edits.push(...fieldEdits(fields, first))
  }
  const leave = () => void scopes.pop()
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (init?.type === 'ClassExpression' && id.type === 'Identifier') names.set(init, id.name)
    },
    ClassDeclaration: enter,
    ClassExpression: enter,
    'ClassDeclaration:exit': leave,
    'ClassExpression:exit': leave,
    BinaryExpression: (node) => edits.push(...brandCheck(node, scopes)),
    PrivateIdentifier: (node) => void edits.push({ ...spanOf(node), text: scopeOf(node, scopes).plain.get(node.name) ?? '' }),
  }).visit(parseSync('bundle.js', code).program)
  // At the end: every line keeps its number, as a source map requires.
  return `${apply(edits, code)}\n${hideFields.toString()}`
}

/** Defines the properties `$0` and so on as non-enumerable: `JSON.stringify`, `console.log`, `Object.keys` and `{...spread}` skip them. Returns `value`. */
function hideFields(object: object, end: number, value?: unknown): unknown {
  // An existing property is a field or a private method of the base class.
  for (let n = 0; n < end; n++) if (!(`$${n}` in object)) Object.defineProperty(object, `$${n}`, { writable: true })
  return value
}

/** Number of private names that base classes use. */
function inherited({ superClass }: ESTree.Class, totals: ReadonlyMap<string, number>): number {
  if (!superClass) return 0
  if (superClass.type !== 'Identifier') throw new Error('A class extends something without a name.')
  return totals.get(superClass.name) ?? 0
}

/** Returns the initializers that run first on each object. */
function privateMembers({ body }: ESTree.Class) {
  const members = body.body.flatMap((member) => ('key' in member && member.key.type === 'PrivateIdentifier' ? [member] : []))
  const fields = members.flatMap((member) => (member.type === 'PropertyDefinition' && !member.static ? [member] : []))
  const named = [...fields, ...members].flatMap(({ key }) => (key.type === 'PrivateIdentifier' ? [key.name] : []))
  return { fields, all: [...new Set(named)] }
}

/** The first field hides all of them; a field without a value then needs no further code. */
function fieldEdits(fields: readonly ESTree.PropertyDefinition[], first: number): Edit[] {
  return fields.flatMap(({ key, value, start, end }, i) => {
    const hiding = `hideFields(this, ${first + fields.length}`
    if (i > 0) return value ? [] : [{ start, end, text: '' }]
    return value
      ? [
          { start: value.start, end: value.start, text: `${hiding}, ` },
          { start: value.end, end: value.end, text: ')' },
        ]
      : [{ start: key.end, end: key.end, text: ` = ${hiding})` }]
  })
}

/** Compiles `#name in it`: an object that was parsed or copied is not an instance of the class, whatever its properties are. */
function brandCheck({ left, right }: ESTree.BinaryExpression | ESTree.PrivateInExpression, scopes: readonly Scope[]): Edit[] {
  if (left.type !== 'PrivateIdentifier') return []
  const { className, plain } = scopeOf(left, scopes)
  if (right.type !== 'Identifier' || className === undefined) throw new Error('A brand check needs two names.')
  return [{ ...spanOf(left), text: `${right.name} instanceof ${className} && '${plain.get(left.name)}'` }]
}

function scopeOf({ name }: ESTree.PrivateIdentifier, scopes: readonly Scope[]): Scope {
  const scope = scopes.findLast(({ plain }) => plain.has(name))
  if (!scope) throw new Error(`#${name} is in no class.`)
  return scope
}

const spanOf = ({ start, end }: ESTree.Span) => ({ start, end })

/** Applies the edits in order. Of two edits at the same place the first wins; an edit inside replaced code is dropped. */
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
