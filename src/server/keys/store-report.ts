/** Tells an operator why a store of the game fails: each cause once, and not with each request. */
import { cleanCause } from '../../shared/foundation/error-text'
import { FoyerError } from '../../shared/foundation/errors'
import { type Log, warnInConsole, withoutExceptions } from '../../shared/foundation/log-entry'

/** Causes of one store: each is told once as long as there are no more. */
const MAX_CAUSES = 20

/** @param store whose it is, in the words of the options: `store of createSessionHandler`. */
export function storeReport(store: string, log: Log = warnInConsole): (error: unknown) => void {
  const write = withoutExceptions(log)
  const told = new Set<string>()
  return (error) => {
    const cause = textOf(error)
    if (told.has(cause) || told.size >= MAX_CAUSES) return
    told.add(cause)
    write('error', 'store.failed', { store, cause })
  }
}

/** The default of `onRateLimitStoreChanged`: without the store, calls go on, and nobody would know. */
export function reportRateLimitStore(): (event: { isAway: boolean; cause?: unknown }) => void {
  const report = storeReport('rateLimitStore')
  return ({ isAway, cause }) => isAway && report(cause)
}

/** The message of the error, and of what caused it, without what may be secret. */
function textOf(error: unknown): string {
  const safe: unknown = error instanceof FoyerError ? error : cleanCause(error)
  if (!(safe instanceof Error)) return 'unknown'
  return safe.cause instanceof Error ? `${safe.message} (${safe.cause.message})` : safe.message
}
