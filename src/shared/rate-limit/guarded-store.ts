/** A shared store of the caller, whose methods may throw, or return something else than they should: it is then unavailable. */
import { ConfigurationError } from '../foundation/errors'
import { isRecord } from '../foundation/untrusted-values'
import type { Grant, RateLimitStore, Refusals } from './store-port'

/** ms for the first request of any store. */
const MAX_CONNECT_TIMEOUT = 10_000

/** The same store. Its methods reject for every fault, and never throw. */
export function guardedStore(store: RateLimitStore): RateLimitStore {
  const { parties, connectTimeout } = store
  return {
    ...(parties !== undefined && { parties }),
    ...(isCount(connectTimeout) && { connectTimeout: Math.min(connectTimeout, MAX_CONNECT_TIMEOUT) }),
    acquire: async (request) => requireGrant(await store.acquire(request)),
    settle: async (settlement) => store.settle(settlement),
    block: async (bucket, ms) => store.block(bucket, ms),
    unblock: async (bucket) => store.unblock(bucket),
    countRefusals: async (count) => requireRefusals(await store.countRefusals(count)),
    close: async () => store.close(),
  }
}

/** Accepts what may be absent if all requests may start. */
function requireGrant(grant: unknown): Grant {
  const { leases, wait = 0, blockedBy = 0, parties = 1 } = fieldsOf(grant)
  if (isNames(leases) && isCount(wait) && isCount(blockedBy) && isCount(parties))
    return { leases, wait, blockedBy, parties }
  throw refusal('acquire', '{ leases, wait, blockedBy, parties }')
}

function requireRefusals(refusals: unknown): Refusals {
  const { total, oldest } = fieldsOf(refusals)
  if (isCount(total) && isCount(oldest)) return { total, oldest }
  throw refusal('countRefusals', '{ total, oldest }')
}

/** Without fields for anything but an object. */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0
const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

function refusal(method: string, expected: string): ConfigurationError {
  return new ConfigurationError('invalid_argument', `rateLimitStore.${method}`, {
    remedy: `It must resolve with ${expected}`,
  })
}
