/** Private names as ordinary properties that nothing lists: brought down to ES2017 as a WeakMap each, they would be a tenth of the classic script. */
import { type ESTree, parseSync, type Plugin, Visitor } from 'vite'

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** What the private names of one class become. */
interface Scope {
  readonly className: string | undefined
  readonly plain: ReadonlyMap<string, string>
}

/** Acts on the one file that holds every class. */
export function plainPrivateNames(): Plugin {
  return { name: 'plain-private-names', renderChunk: (code) => ({ code: withPlainNames(code), map: null }) }
}

/**
 * `#name` becomes `$0`, `$1` and so on, counted anew in each class, and on in a class that extends it. The fields that are left must then
 * be brought down by assignment (`setPublicClassFields`): that keeps them hidden.
 */
export function withPlainNames(code: string): string {
  const edits: Edit[] = []
  const scopes: Scope[] = []
  const names = new Map<ESTree.Class, string>()
  /** By class: its private names and those of the classes that it extends. */
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
  return `${hideFields.toString()}\n${apply(edits, code)}`
}

/** Makes the properties `$0` and so on, which `JSON.stringify`, `console.log`, `Object.keys` and `{...spread}` do not see. Returns `value`. */
function hideFields(object: object, end: number, value?: unknown): unknown {
  // What is there already is a field or a private method of the class that this one extends.
  for (let n = 0; n < end; n++) if (!(`$${n}` in object)) Object.defineProperty(object, `$${n}`, { writable: true, enumerable: false })
  return value
}

/** How many private names a class finds taken. */
function inherited({ superClass }: ESTree.Class, totals: ReadonlyMap<string, number>): number {
  if (!superClass) return 0
  if (superClass.type !== 'Identifier') throw new Error('A class extends something without a name.')
  return totals.get(superClass.name) ?? 0
}

/** The fields of each object come first. */
function privateMembers({ body }: ESTree.Class) {
  const members = body.body.flatMap((member) => ('key' in member && member.key.type === 'PrivateIdentifier' ? [member] : []))
  const fields = members.flatMap((member) => (member.type === 'PropertyDefinition' && !member.static ? [member] : []))
  const named = [...fields, ...members].flatMap(({ key }) => (key.type === 'PrivateIdentifier' ? [key.name] : []))
  return { fields, all: [...new Set(named)] }
}

/** The first field hides them all; one without a value then needs nothing more. */
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

/** `#name in it`: what somebody has parsed or copied together is not of the class, whatever its properties are. */
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

/** In order. Of two for the same place the first counts, and what lies within a piece that has been replaced is gone with it. */
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
