/** The part of a shared store that belongs to one application, also of a store that knows no applications. */
import { requireMethods } from '../foundation/take-options'
import type { RateLimitStore, SharedBucket } from './store-port'

const STORE = {
  name: 'rateLimitStore',
  methods: ['acquire', 'settle'],
  example: 'redisRateLimitStore(new Redis(url))',
}

/**
 * The same store with keys of the application: two games with one store never meet. Without a store, undefined.
 * @throws ConfigurationError `invalid_argument` for a store without the methods of one.
 */
export function storeOfApplication(
  store: RateLimitStore | undefined,
  applicationId: string,
): RateLimitStore | undefined {
  requireMethods(store, STORE)
  if (!store) return undefined
  if (store.forApplication) return store.forApplication(applicationId)
  const { parties, connectTimeout } = store
  const own = (bucket: SharedBucket): SharedBucket => ({ ...bucket, key: `${applicationId}:${bucket.key}` })
  return {
    ...(parties !== undefined && { parties }),
    ...(connectTimeout !== undefined && { connectTimeout }),
    acquire: async (request) => store.acquire({ ...request, buckets: request.buckets.map(own) }),
    settle: async (settlement) => store.settle({ ...settlement, buckets: settlement.buckets.map(own) }),
    ...(store.renew && {
      renew: async (renewal) => store.renew?.({ ...renewal, bucket: own(renewal.bucket) }) ?? false,
    }),
    block: async (bucket, ms) => store.block(own(bucket), ms),
    unblock: async (bucket) => store.unblock(own(bucket)),
    countRefusals: async (count) => store.countRefusals(count),
    close: async () => store.close(),
  }
}
