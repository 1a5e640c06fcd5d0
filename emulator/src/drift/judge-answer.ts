/** Compares one answer with the description. Pure. */
import { fieldsOf, isObject } from '../foundation/type-guards.js'
import type { Answer, Call, Drift, DriftKind, Operation } from './drift-types.js'
import type { Description } from './read-description.js'

type Finding = Pick<Drift, 'kind' | 'at' | 'detail'>

/** True for an address or a method that the service does not have; a missing object has an error number. */
export function isNotServed({ status, body }: Answer): boolean {
  const code = fieldsOf(body)['code']
  return status === 405 || status === 501 || (status === 404 && (code === 0 || code === undefined))
}

/** Differences in the status and the body of a response. */
export function judgeResponse({ responses }: Operation, { status, body }: Answer, { faultOf }: Description): Finding[] {
  const key = [String(status), `${String(status)[0]}XX`, 'DEFAULT'].find((each) => responses.has(each))
  if (key === undefined) return [finding('status_not_declared', String(status), `it answers ${status}, which is not declared`)]
  const pointer = responses.get(key)
  if (pointer === undefined)
    return body === undefined || key === 'DEFAULT' ? [] : [finding('response_invalid', `${status}`, 'it has a body, and none is declared')]
  const fault = faultOf(pointer, body)
  return fault === undefined
    ? []
    : [finding('response_invalid', `${status} ${fault.at}`.trim(), `the response ${fault.at || 'as a whole'} ${fault.message}`)]
}

/** A valid request that is refused, and an invalid one that is accepted. */
export function judgeCall({ expected, at, what }: Call, { status }: Answer): Finding[] {
  if (status >= 500) return []
  const isRefused = status >= 400
  if (expected === 'success' && isRefused) return [finding('valid_refused', at, `${what} is valid, and is refused with ${status}`)]
  if (expected === 'refusal' && !isRefused)
    return [finding('invalid_accepted', `${at} ${kindOf(what)}`.trim(), `${what} is invalid, and is accepted with ${status}`)]
  return []
}

/** `bound`, `type`, `enum`, `extra` or `missing`. */
const kindOf = (what: string): string => what.replace(/:.*/, '')

const finding = (kind: DriftKind, at: string, detail: string): Finding => ({ kind, at, detail })

/** One of several differences of the same kind at the same place. */
export function distinct(drifts: readonly Drift[]): Drift[] {
  const seen = new Map(drifts.toReversed().map((drift) => [`${drift.kind} ${drift.operation} ${drift.at}`, drift]))
  return [...seen.values()].toReversed()
}

/** True if the decision `kind operation at` is about the difference; `*` stands for any text. */
function isDecided({ kind, operation, at }: { kind: string; operation: string; at: string }, decision: string): boolean {
  const pattern = decision
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.*')
  return new RegExp(`^${pattern}$`).test(`${kind} ${operation} ${at}`.trim())
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
  return Object.fromEntries(Object.entries(value).flatMap(([decision, reason]) => (typeof reason === 'string' ? [[decision, reason]] : [])))
}
