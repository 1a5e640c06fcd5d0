/** Compares one answer with the description. Pure. */
import { fieldsOf, isObject } from '../../foundation/values.js'
import type { Answer, Call, CallerKind, DescribedHeader, Drift, DriftKind, Operation } from './drift-types.js'
import type { Description } from './read-description.js'
import { matchesWildcards } from '../../foundation/matches-wildcards.js'

export type Finding = Pick<Drift, 'kind' | 'at' | 'detail'> & Partial<Pick<Drift, 'cause'>>

/** True for an address or a method that the service does not have; a missing object has an error number. */
export function isNotServed({ status, body }: Answer): boolean {
  const code = fieldsOf(body)['code']
  return status === 405 || status === 501 || (status === 404 && (code === 0 || code === undefined))
}

/** Differences in the status, the headers and the body of a response. */
export function judgeResponse(
  { responses }: Operation,
  { status, body, headers }: Answer,
  { faultOf }: Description,
): Finding[] {
  const key = [String(status), `${String(status)[0]}XX`, 'DEFAULT'].find((each) => responses.has(each))
  if (key === undefined)
    return [finding('status_not_declared', String(status), `it answers ${status}, which is not declared`)]
  const response = responses.get(key)
  const ofHeaders = (response?.headers ?? []).flatMap((header) =>
    judgeHeader(header, { status, headers, faultOf }),
  )
  if (response?.schema === undefined)
    return body === undefined || key === 'DEFAULT'
      ? ofHeaders
      : [...ofHeaders, finding('response_invalid', `${status}`, 'it has a body, and none is declared')]
  const fault = faultOf(response.schema, body)
  if (fault === undefined) return ofHeaders
  const detail = `the response ${fault.at || 'as a whole'} ${fault.message}`
  const ofBody = finding('response_invalid', `${status} ${fault.at}`.trim(), detail)
  return [...ofHeaders, { ...ofBody, cause: `${status} ${fault.schema}` }]
}

function judgeHeader(
  { name, required, schema, type }: DescribedHeader,
  { status, headers, faultOf }: Pick<Answer, 'status' | 'headers'> & Pick<Description, 'faultOf'>,
): Finding[] {
  const at = `${status} header ${name}`
  const text = headers.get(name)
  if (text === null) return required ? [finding('response_invalid', at, `the header ${name} is missing`)] : []
  const value = type === 'integer' || type === 'number' ? Number(text) : text
  const fault = schema === undefined ? undefined : faultOf(schema, value)
  return fault === undefined ? [] : [finding('response_invalid', at, `the header ${name} ${fault.message}`)]
}

/** Differences in who may call an operation: its least request, with another credential than the one that succeeded. */
export function judgeCaller({ callers }: Operation, caller: CallerKind, { status }: Answer): Finding[] {
  if (callers === undefined || status >= 500) return []
  const isPermitted = callers.includes(caller) || callers.includes('nobody')
  const at = `security ${caller}`
  if (isPermitted && status === 401)
    return [
      finding('valid_refused', at, `a request of ${NAMES[caller]} is permitted, and is refused with 401`),
    ]
  if (!isPermitted && status < 400)
    return [
      finding(
        'invalid_accepted',
        at,
        `a request of ${NAMES[caller]} is forbidden, and is accepted with ${status}`,
      ),
    ]
  return []
}

const NAMES: Readonly<Record<CallerKind, string>> = { bot: 'a bot', player: 'a player', nobody: 'nobody' }

/** The reason why a refusal says nothing about the fault of an invalid request; undefined if it names the place of the fault. */
export function otherReason({ at }: Call, { status, body }: Answer): string | undefined {
  if (status !== 400) return `refused with ${status}`
  const places = errorPlaces(fieldsOf(body)['errors'])
  if (places.length === 0) return undefined
  const place = at
    .replace(/^\?/, '')
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .replace(/^\./, '')
  return places.some((each) => isWithin(each, place) || isWithin(place, each))
    ? undefined
    : `refused because of ${places[0]}`
}

const isWithin = (inner: string, outer: string): boolean =>
  outer === '' || inner === outer || inner.startsWith(`${outer}.`)

/** Places of errors in a tree: `members.0.id`. */
function errorPlaces(tree: unknown, at = ''): string[] {
  return Object.entries(fieldsOf(tree)).flatMap(([key, value]) =>
    key === '_errors' ? [at] : errorPlaces(value, at === '' ? key : `${at}.${key}`),
  )
}

/** A valid request that is refused, and an invalid one that is accepted. */
export function judgeCall({ expected, at, what }: Call, { status, rule }: Answer): Finding[] {
  if (status >= 500) return []
  const isRefused = status >= 400
  const cause = rule?.replace(/ \(and \d+ more\)$/, '') ?? at
  if (expected === 'success' && isRefused)
    return [{ ...finding('valid_refused', at, `${what} is valid, and is refused with ${status}`), cause }]
  if (expected === 'refusal' && !isRefused)
    return [
      finding(
        'invalid_accepted',
        `${at} ${kindOf(what)}`.trim(),
        `${what} is invalid, and is accepted with ${status}`,
      ),
    ]
  return []
}

/** `bound`, `type`, `null`, `enum`, `pattern`, `format`, `extra` or `missing`. */
const kindOf = (what: string): string => what.replace(/:.*/, '')

const finding = (kind: DriftKind, at: string, detail: string): Finding => ({ kind, at, detail })

/** One of several differences with the same cause. */
export function distinct(drifts: readonly Drift[]): Drift[] {
  const seen = new Map(
    drifts.toReversed().map((drift) => [`${drift.kind} ${drift.operation} ${drift.cause}`, drift]),
  )
  return withoutInner([...seen.values()].toReversed())
}

/** A field that may have any type is not checked at all: its other mutations are the same difference. */
function withoutInner(drifts: readonly Drift[]): Drift[] {
  const unchecked = drifts
    .filter(({ kind, at }) => kind === 'invalid_accepted' && at.endsWith(' type'))
    .map(({ at }) => at.slice(0, -5))
  const isInner = ({ kind, at }: Drift) =>
    kind === 'invalid_accepted' &&
    unchecked.some(
      (field) => at !== `${field} type` && ['.', '[', ' '].some((next) => at.startsWith(field + next)),
    )
  return drifts.filter((drift) => !isInner(drift))
}

/** The shape of errors is the same everywhere: a difference in it is one, with the number of the other operations. */
export function withErrorsOnce(drifts: readonly Drift[]): Drift[] {
  const groups = new Map<string, Drift[]>()
  for (const drift of drifts) {
    const { kind, at, cause, operation } = drift
    const isError = kind === 'response_invalid' && /^[45]/.test(at)
    const key = isError ? cause : `${kind} ${operation} ${cause}`
    groups.set(key, [...(groups.get(key) ?? []), drift])
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    return others.length === 0
      ? [first]
      : [{ ...first, detail: `${first.detail} (the same in ${others.length} more)` }]
  })
}

/** Names of fields that an answer calls missing. */
export function missingFields(body: unknown): string[] {
  const walk = (value: unknown, name: string): string[] =>
    Object.entries(fieldsOf(value)).flatMap(([key, each]) => {
      if (key !== '_errors') return walk(each, key)
      const isMissing =
        Array.isArray(each) && each.some((error) => fieldsOf(error)['code'] === 'BASE_TYPE_REQUIRED')
      return isMissing ? [name] : []
    })
  return walk(fieldsOf(body)['errors'], '')
}

/** True if the decision `kind operation at` is about the difference; `*` stands for any text. */
function isDecided(
  { kind, operation, at }: { kind: string; operation: string; at: string },
  decision: string,
): boolean {
  return matchesWildcards(`${kind} ${operation} ${at}`.trim(), decision)
}

/** The difference with the reason of the first decision about it. */
export function withDecision<Found extends { kind: string; operation: string; at: string }>(
  found: Found,
  decisions: Readonly<Record<string, string>>,
): Found & { accepted: string | undefined } {
  const [, accepted] = Object.entries(decisions).find(([decision]) => isDecided(found, decision)) ?? []
  return { ...found, accepted }
}

/** Reasons by decision. */
export function decisionsOf(value: unknown): Record<string, string> {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([decision, reason]) =>
      typeof reason === 'string' ? [[decision, reason]] : [],
    ),
  )
}
