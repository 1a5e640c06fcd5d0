/** Whether a fault's path can match a request of the emulator, and the path that was probably meant by one that cannot. */

/** Of a route such as `/api/v10/lobbies/:lobby`. */
export type RoutePath = readonly RouteSegment[]

/** A segment as it is written, or undefined for any text without a slash. */
type RouteSegment = string | undefined

/** One step of a pattern: a character, one of any kind but a slash, one of an id, any number of those but a slash, or any text. */
type Step =
  { readonly kind: 'character'; readonly is: string } | { readonly kind: 'one' | 'mark' | 'many' | 'all' }

const API = '/api/v10'

/** Reads the path of a route: `:name`, also with a pattern, is any segment. */
export function readRoute(path: string): RoutePath {
  return path
    .split('/')
    .slice(1)
    .map((segment) => (segment.startsWith(':') ? undefined : segment))
}

/** What ids and names of files have, and words do not. */
const MARK = /[\d@.]/

/**
 * True if a request of one of the routes can have this path, in which `*` is any text. A word after `*` is that of a route, and no value:
 * otherwise a page for any file would match every misspelt word.
 */
export function matchesRoute(path: string, routes: readonly RoutePath[]): boolean {
  const wanted = stepsOf(path)
  const value: readonly Step[] = path.includes('*')
    ? [{ kind: 'many' }, { kind: 'mark' }, { kind: 'many' }]
    : [{ kind: 'one' }, { kind: 'many' }]
  const stepsOfSegment = (segment: RouteSegment) => [
    ...stepsOf('/'),
    ...(segment === undefined ? value : stepsOf(segment)),
  ]
  return routes.some((route) => overlap(wanted, route.flatMap(stepsOfSegment)))
}

/** The path that was probably meant, which matches a route. */
export function nearestPath(path: string, routes: readonly RoutePath[]): string | undefined {
  const other = otherForms(path)
  const right = other.find((form) => matchesRoute(form, routes))
  if (right !== undefined) return right
  let best: { path: string; distance: number } | undefined
  for (const form of other)
    for (const route of routes)
      for (const found of alike(form, route, best?.distance ?? Math.max(3, path.length / 4)))
        if (found.distance < (best?.distance ?? Infinity)) best = found
  return best?.path
}

/** The same path without a query and a slash at its end, with the API before it, and with the names of its variables as `*`. */
function otherForms(path: string): string[] {
  const [address = ''] = path.split(/[?#]/, 1)
  const plain = address.replace(/(?<=.)\/$/, '').replaceAll(/\/(?::[^/*]+|\{[^/*]*\}|<[^/*]*>)/g, '/*')
  const below = plain.replace(/^\/api(?:\/v\d+)?(?=\/|$)/, '')
  return [plain, ...(plain.startsWith('/') ? [API + below] : [])]
}

/** A route that resembles a path, with the `*` of the path, and the number of letters that differ. */
function alike(path: string, route: RoutePath, most: number): { path: string; distance: number }[] {
  const [before, core, after] = divided(path)
  const segments = core.split('/')
  const last = route.length - segments.length
  // A slash may be missing, or too many.
  if (before === '/' && after === '' && last !== 0) {
    const whole = `/${route.map((segment) => segment ?? '*').join('/')}`
    return [{ path: whole, distance: distanceOf(path, whole, most) }]
  }
  const places = Array.from({ length: Math.max(0, last + 1) }, (_, at) => at).filter(
    (at) => (before.startsWith('*') || at === 0) && (after.endsWith('*') || at === last),
  )
  const valueIn = (segment: string) => (path.includes('*') && !MARK.test(segment) ? '*' : segment)
  return places.map((at) => {
    const near = segments
      .map((segment, index) => (segment === '*' ? segment : (route[at + index] ?? valueIn(segment))))
      .join('/')
    return { path: before + near + after, distance: distanceOf(core, near, most) }
  })
}

/** What is before the first segment, the segments, and what is after them. */
function divided(path: string): [before: string, core: string, after: string] {
  const before = /^\*?\/?/.exec(path)?.[0] ?? ''
  const after = /\/?\*?$/.exec(path.slice(before.length))?.[0] ?? ''
  return [before, path.slice(before.length, path.length - after.length), after]
}

/** Number of letters to insert, remove or replace; `Infinity` for more than `most`. */
function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return Infinity
  let above = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 0; row < one.length; row += 1) {
    const line = [row + 1]
    for (let index = 0; index < other.length; index += 1)
      line.push(
        Math.min(
          (above[index] ?? 0) + (one[row] === other[index] ? 0 : 1),
          (above[index + 1] ?? 0) + 1,
          (line[index] ?? 0) + 1,
        ),
      )
    if (Math.min(...line) > most) return Infinity
    above = line
  }
  return above.at(-1) ?? 0
}

const stepsOf = (path: string): Step[] =>
  Array.from(path, (is): Step => (is === '*' ? { kind: 'all' } : { kind: 'character', is }))

/** True if one text fits both patterns. Each pair of places is looked at once. */
function overlap(wanted: readonly Step[], route: readonly Step[]): boolean {
  const seen = new Set<number>()
  const open: [at: number, on: number][] = [[0, 0]]
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [at, on] = pair
    const key = at * (route.length + 1) + on
    if (seen.has(key)) continue
    seen.add(key)
    const [step, other] = [wanted[at], route[on]]
    if (step === undefined && other === undefined) return true
    if (step?.kind === 'all')
      open.push([at + 1, on], ...(other ? [[at, on + 1] satisfies [number, number]] : []))
    if (other?.kind === 'many') open.push([at, on + 1])
    if (step?.kind !== 'character' || other === undefined) continue
    if (other.kind === 'character') {
      if (step.is === other.is) open.push([at + 1, on + 1])
    } else if (step.is !== '/' && (other.kind !== 'mark' || MARK.test(step.is)))
      open.push([at + 1, other.kind === 'many' ? on : on + 1])
  }
  return false
}
