/** Changes texts in the state of a history entry, in which routers store addresses. Pure. */
import { isRecord } from '../../shared/foundation/untrusted-values'

/** A state may contain itself. */
const MAX_DEPTH = 8

/** Returns a copy of the state with other texts. Only plain objects and lists are copied; everything else stays. */
export function mapTexts(state: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof state === 'string') return change(state)
  if (depth > MAX_DEPTH) return state
  const changed = (value: unknown) => mapTexts(value, change, depth + 1)
  if (Array.isArray(state)) return state.map(changed)
  if (!isRecord(state) || Object.getPrototypeOf(state) !== Object.prototype) return state
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [name, changed(value)]))
}
