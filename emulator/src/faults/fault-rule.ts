/** What a fault does, to which requests and how often. */
import { fieldsOf, isObject } from '../foundation/decode.js'
import { EmulatorError } from '../foundation/error.js'

export interface FaultEffect {
  /** Answers in the place of the service, which then never sees the request; so does `body`. */
  status?: number
  /** Set on the answer, whoever gives it; null takes a header away. */
  headers?: Record<string, string | null>
  /** Text, or anything else as JSON. Shorter than a `Content-Length` among the headers, it ends half-way with the connection. */
  body?: unknown
  /** Real milliseconds before anything else happens. */
  delay?: number
  /** The connection dies before the request is processed. */
  drop?: boolean
  /** The request is processed, and the connection dies before the answer. */
  lostAnswer?: boolean
}

export interface FaultRule {
  /** Without a query; `*` stands for anything. What is left out matches everything. */
  match?: { method?: string; path?: string }
  /** How many requests it hits; 1 unless given. */
  times?: number
  effect: FaultEffect
}

const longestDelay = 600_000

/** @throws EmulatorError `bad_request` that says what is wrong. */
export function readRules(value: unknown): Required<FaultRule>[] {
  return (Array.isArray(value) ? value : [value]).map(readRule)
}

function readRule(value: unknown): Required<FaultRule> {
  const { match = {}, times = 1, effect, ...others } = fieldsOf(value)
  const { method, path, ...strange } = fieldsOf(match)
  const unknown = Object.keys({ ...others, ...strange })[0]
  expectThat(unknown === undefined, `a fault has no field ${JSON.stringify(unknown)}`)
  expectThat(isObject(effect) && Object.keys(effect).length > 0, 'a fault needs an effect')
  expectThat(typeof times === 'number' && Number.isInteger(times) && times > 0, 'times must be a whole number of 1 or more')
  expectThat(method === undefined || typeof method === 'string', 'match.method must be text')
  expectThat(path === undefined || (typeof path === 'string' && /^[/*]/.test(path)), 'match.path must be text that begins with / or *')
  return {
    match: { ...(method === undefined ? {} : { method: method.toUpperCase() }), ...(path === undefined ? {} : { path }) },
    times,
    effect: readEffect(effect),
  }
}

function readEffect(effect: Record<string, unknown>): FaultEffect {
  const { status, headers, body, delay, drop, lostAnswer, ...others } = effect
  const unknown = Object.keys(others)[0]
  expectThat(unknown === undefined, `an effect has no field ${JSON.stringify(unknown)}`)
  expectThat(status === undefined || isBetween(status, 200, 599), 'effect.status must be from 200 to 599')
  expectThat(delay === undefined || isBetween(delay, 0, longestDelay), `effect.delay must be from 0 to ${longestDelay} milliseconds`)
  expectThat(drop === undefined || typeof drop === 'boolean', 'effect.drop must be true or false')
  expectThat(lostAnswer === undefined || typeof lostAnswer === 'boolean', 'effect.lostAnswer must be true or false')
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
      expectThat(value === null || typeof value === 'string', `effect.headers[${JSON.stringify(name)}] must be text or null`)
      return [name, value]
    }),
  )
}

function isBetween(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most
}

function expectThat(ok: boolean, words: string): asserts ok {
  if (!ok) throw new EmulatorError('bad_request', `These faults cannot be made: ${words}.`)
}
