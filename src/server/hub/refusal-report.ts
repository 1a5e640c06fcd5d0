/** Tells an operator that the service refuses the hub's own calls, which nobody waits for: each cause once. */
import { ApiError, ConfigurationError } from '../../shared/foundation/errors'
import type { Log } from '../../shared/foundation/log-entry'

const REMEDIES: ReadonlyMap<number, string> = new Map([
  [
    401,
    'Is the bot token that of this application, and was it not reset since? Players see no changes without it',
  ],
  [403, 'Does the bot token belong to the application of the lobbies? Players see no changes without access'],
])

/** Watches the call of this name, and passes its outcome on. */
export type WatchRefusal = <T>(call: string, work: Promise<T>) => Promise<T>

/** @param log without exceptions. */
export function createRefusalReport(log: Log): WatchRefusal {
  const told = new Set<string>()
  return async (call, work) => {
    try {
      return await work
    } catch (error) {
      const facts = refusalOf(error)
      const key = `${call} ${facts?.code ?? ''}`
      if (facts && !told.has(key)) {
        told.add(key)
        log('error', 'lobby_hub.refused', { call, ...facts })
      }
      throw error
    }
  }
}

/** Undefined for what may pass, and for a lobby of another application, which a player may name. */
function refusalOf(error: unknown): { code: string; remedy: string } | undefined {
  if (error instanceof ConfigurationError && error.code !== 'closed')
    return { code: error.code, remedy: error.message }
  if (!(error instanceof ApiError) || error.code === 'missing_access') return undefined
  const remedy = REMEDIES.get(error.status)
  return remedy === undefined ? undefined : { code: error.code, remedy }
}
