/** Problems of values: the service's error, the rule for developers, and the place in the body. */

export interface Problem {
  code: string
  message: string
  /** Goes on after the place: `must be a string`. */
  rule: string
}

export type Path = readonly (string | number)[]

export interface PlacedProblem extends Problem {
  path: Path
}

/** A problem with an error of the service. */
export function problem(code: string, message: string, rule: string): Problem {
  return { code, message, rule }
}

export const REQUIRED = problem('BASE_TYPE_REQUIRED', 'This field is required', 'is required')
export const REPEATED = problem(
  'SET_TYPE_ALREADY_CONTAINS_VALUE',
  'The set already contains this value',
  'must not repeat an earlier item',
)

/** A field, or a value, that is not allowed at this path. */
export function misplaced(rule: string): Problem {
  return problem('APPLICATION_COMMAND_INVALID_FIELD', `This field ${rule}.`, rule)
}

/** Builds the service's error tree: field names and indexes, with `_errors` at the leaves. */
export function errorTree(problems: readonly PlacedProblem[]): Record<string, unknown> {
  const tree = branch()
  for (const { path, code, message } of problems) {
    let node = tree
    // A locale may be named `_errors` as well: report its problem at the parent.
    for (const key of path.filter((part) => part !== '_errors')) node = child(node, String(key))
    const leaf = node['_errors']
    if (Array.isArray(leaf)) leaf.push({ code, message })
    else node['_errors'] = [{ code, message }]
  }
  return tree
}

/** Without a prototype, so that a field named `__proto__` is an ordinary field. */
function branch(): Record<string, unknown> {
  return Object.setPrototypeOf({}, null)
}

function child(node: Record<string, unknown>, key: string): Record<string, unknown> {
  const found = node[key]
  if (isBranch(found)) return found
  const made = branch()
  node[key] = made
  return made
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `options[3].choices[0].name`, `name_localizations['de']`. */
export function pathText(path: Path): string {
  const text = path.map((part, index) => {
    if (typeof part === 'number') return `[${part}]`
    return /(?:_localizations|metadata)$/.test(String(path[index - 1]))
      ? `['${part.replaceAll(/['\\]/g, '\\$&')}']`
      : `.${part}`
  })
  return text.join('').replace(/^\./, '')
}
