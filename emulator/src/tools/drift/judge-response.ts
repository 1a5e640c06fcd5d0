/** Compares one answer with the description. Pure. */
import { fieldsOf, isObject } from '../../foundation/values.js'
import type { Answer, Call, Drift, DriftKind, Operation } from './drift-types.js'
import type { Description } from './read-description.js'
import { matchesWildcards } from '../../foundation/matches-wildcards.js'

export type Finding = Pick<Drift, 'kind' | 'at' | 'detail'> & Partial<Pick<Drift, 'cause'>>

/** True for an address or a method that the service does not have; a missing object has an error number. */
export function isNotServed({ status, body }: Answer): boolean {
  const code = fieldsOf(body)['code']
  return status === 405 || status === 501 || (status === 404 && (code === 0 || code === undefined))
}

/** Differences in the status and the body of a response. */
export function judgeResponse(
  { responses }: Operation,
  { status, body }: Answer,
  { faultOf }: Description,
): Finding[] {
  const key = [String(status), `${String(status)[0]}XX`, 'DEFAULT'].find((each) => responses.has(each))
  if (key === undefined)
    return [finding('status_not_declared', String(status), `it answers ${status}, which is not declared`)]
  const pointer = responses.get(key)
  if (pointer === undefined)
    return body === undefined || key === 'DEFAULT'
      ? []
      : [finding('response_invalid', `${status}`, 'it has a body, and none is declared')]
  const fault = faultOf(pointer, body)
  return fault === undefined
    ? []
    : [
        {
          ...finding(
            'response_invalid',
            `${status} ${fault.at}`.trim(),
            `the response ${fault.at || 'as a whole'} ${fault.message}`,
          ),
          cause: `${status} ${fault.schema}`,
        },
      ]
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

/** `bound`, `type`, `enum`, `extra` or `missing`. */
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
