/** Fault rules: their effect, the requests that they match, and how often. */
import { didYouMean } from '../../foundation/closest-name.js'
import { WrongInput } from '../../foundation/emulator-error.js'
import { isHeader } from '../../foundation/header-text.js'
import { isObject } from '../../foundation/values.js'
import { matchesRoute, nearestPath, readRoute, type RoutePath } from './match-routes.js'
import { matchesWildcards } from '../../foundation/matches-wildcards.js'

export interface FaultEffect {
  /** Responds with this status instead of the service, which does not receive the request; so does `body`. */
  status?: number | undefined
  /** Headers to set on the response, whether from the service or the fault; null removes one. */
  headers?: Record<string, string | null> | undefined
  /** String, or a value to send as JSON. If it is shorter than a `Content-Length` in `headers`, the connection closes half-way. */
  body?: unknown
  /** Milliseconds (real time) to wait first. */
  delay?: number | undefined
  /** Closes the connection before the request is processed. */
  drop?: boolean | undefined
  /** Processes the request, and closes the connection before the response. */
  lostAnswer?: boolean | undefined
}

export interface FaultRule {
  /** Path without a query; `*` matches anything. Default: all paths. */
  match?: { method?: string | undefined; path?: string | undefined } | undefined
  /** Number of requests to affect. Default: 1. */
  times?: number | undefined
  effect: FaultEffect
}

/** A rule with its defaults. */
export interface ReadRule extends FaultRule {
  match: { method?: string | undefined; path?: string | undefined }
  times: number
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
const MAX_DELAY = 600_000
const MAX_WILDCARDS = 10
const MAX_PATH = 1000
const CONTROL = '/_emulator/'

/** @throws EmulatorError `bad_request` with the reason. */
export function readRules(value: unknown): ReadRule[] {
  return (Array.isArray(value) ? value : [value]).map(readRule)
}

function readRule(value: unknown): ReadRule {
  expectThat(isObject(value), 'a fault must be an object, with match, times and effect')
  const { match = {}, times = 1, effect, ...others } = value
  expectThat(isObject(match), 'match must be an object, with method and path')
  const { method, path, ...strange } = match
  const unknown = Object.keys({ ...others, ...strange })[0]
  expectThat(
    unknown === undefined,
    `a fault has no field ${JSON.stringify(unknown)}${didYouMean(unknown ?? '', ['match', 'match.method', 'match.path', 'times', 'effect'])}; it has match.method, match.path, times, effect`,
  )
  expectThat(
    isObject(effect) && Object.keys(effect).length > 0,
    `a fault needs effect, an object with one of ${EFFECTS.join(', ')}`,
  )
  expectThat(
    typeof times === 'number' && Number.isInteger(times) && times > 0,
    'times must be a whole number of 1 or more',
  )
  expectThat(method === undefined || typeof method === 'string', 'match.method must be text')
  expectThat(
    path === undefined || (typeof path === 'string' && /^[/*]/.test(path)),
    'match.path must be text that begins with / or *',
  )
  expectThat(
    method === undefined || METHODS.has(method.toUpperCase()),
    `match.method is one of ${[...METHODS].join(', ')}`,
  )
  expectThat((path?.length ?? 0) <= MAX_PATH, `match.path has at most ${MAX_PATH} characters`)
  expectThat(
    (path?.split('*').length ?? 1) <= MAX_WILDCARDS + 1,
    `match.path has at most ${MAX_WILDCARDS} of *`,
  )
  return {
    match: {
      ...(method === undefined ? {} : { method: method.toUpperCase() }),
      ...(path === undefined ? {} : { path }),
    },
    times,
    effect: readEffect(effect),
  }
}

const EFFECTS = ['status', 'headers', 'body', 'delay', 'drop', 'lostAnswer']

function readEffect(effect: Record<string, unknown>): FaultEffect {
  const { status, headers, body, delay, drop, lostAnswer, ...others } = effect
  const unknown = Object.keys(others)[0]
  expectThat(
    unknown === undefined,
    `an effect has no field ${JSON.stringify(unknown)}${didYouMean(unknown ?? '', EFFECTS)}; it has ${EFFECTS.join(', ')}`,
  )
  expectThat(
    status === undefined || (isBetween(status, 200, 599) && Number.isInteger(status)),
    'effect.status must be a whole number from 200 to 599',
  )
  expectThat(
    delay === undefined || isBetween(delay, 0, MAX_DELAY),
    `effect.delay must be from 0 to ${MAX_DELAY} milliseconds`,
  )
  expectThat(drop === undefined || typeof drop === 'boolean', 'effect.drop must be true or false')
  expectThat(
    lostAnswer === undefined || typeof lostAnswer === 'boolean',
    'effect.lostAnswer must be true or false',
  )
  return {
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { headers: readHeaders(headers) }),
    ...(body === undefined ? {} : { body }),
    ...(delay === undefined ? {} : { delay }),
    ...(drop === undefined ? {} : { drop }),
    ...(lostAnswer === undefined ? {} : { lostAnswer }),
  }
}

function readHeaders(headers: unknown): Record<string, string | null> {
  expectThat(isObject(headers), 'effect.headers must be an object')
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      expectThat(
        value === null || typeof value === 'string',
        `effect.headers[${JSON.stringify(name)}] must be text or null`,
      )
      expectThat(
        isHeader(name, value ?? ''),
        `effect.headers[${JSON.stringify(name)}] is no header that HTTP allows`,
      )
      return [name, value]
    }),
  )
}

function isBetween(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most
}

function expectThat(ok: boolean, message: string): asserts ok {
  if (!ok) throw new WrongInput(message)
}

export class Faults {
  #rules: ReadRule[] = []
  #routes: readonly RoutePath[] = []

  /** Paths of all requests that are answered, as the routes write them. Until then every path is accepted. */
  learnRoutes(paths: readonly string[]): void {
    this.#routes = paths.filter((path) => !path.startsWith(CONTROL)).map(readRoute)
  }

  /** Replaces all earlier rules. @throws EmulatorError `bad_request` also for a path that no request has. */
  set(rules: unknown): void {
    const read = readRules(rules)
    for (const { match } of read) if (match.path !== undefined) this.#requireRoute(match.path)
    this.#rules = read
  }

  #requireRoute(path: string): void {
    if (this.#routes.length === 0) return
    expectThat(!path.startsWith(CONTROL), 'match.path cannot be of the control plane, which has no faults')
    const isVariable = /\/[:{<]/.test(path)
    if (!isVariable && matchesRoute(path, this.#routes)) return
    const meant = nearestPath(path, this.#routes)
    const question =
      meant === undefined
        ? 'match.path is such as /api/v10/lobbies, and * is any text'
        : `did you mean ${meant}?`
    throw new WrongInput(`no route is at ${path}${isVariable ? ' (write * for any text)' : ''}: ${question}`)
  }

  /** Pending rules with their remaining counts. */
  list(): FaultRule[] {
    return structuredClone(this.#rules)
  }

  clear(): void {
    this.#rules = []
  }

  /** Returns the effect of the first matching rule, and decrements its count. */
  take(method: string, path: string): FaultEffect | undefined {
    const rule = this.#rules.find(({ match }) => hits(match, method, path))
    if (rule === undefined) return undefined
    rule.times -= 1
    if (rule.times === 0) this.#rules = this.#rules.filter((other) => other !== rule)
    return rule.effect
  }
}

/** Browsers decide when to send a preflight, so only rules that name OPTIONS match one. */
function hits(match: ReadRule['match'], method: string, path: string): boolean {
  if (match.method === undefined ? method === 'OPTIONS' : match.method !== method) return false
  return match.path === undefined || matchesWildcards(path, match.path)
}
