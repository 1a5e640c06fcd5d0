/** What the buckets of a request learn from its answer. */
import type { Bucket } from './bucket'
import { Backoff } from './backoff'
import type { RateLimitInfo } from './response-headers'
import type { Permit } from './permit'
import { blockFor, freeAt, margin } from './shared/store'

/** The bucket that a refusal was about, and for how long it is blocked. */
export interface Blocked {
  readonly bucket: Bucket
  readonly retryAfter: number
  readonly isNew: boolean
}

/** Takes in an answer that came at `now`. */
export function applyResponse(permit: Permit, news: RateLimitInfo, now: number): Blocked | undefined {
  learnLimit(permit, news, now)
  if (news.status !== 429) {
    for (const bucket of permit.buckets) hasPassed(bucket, permit.sentAt, now)
    return undefined
  }
  const bucket = refusedBucket(permit.buckets, news, now)
  if (!bucket) return undefined
  const retryAfter = blockFor(news.retryAfter ?? 0, news.isEdge ? 0 : bucket.family.full.per)
  bucket.backoff ??= new Backoff()
  return { bucket, retryAfter, ...bucket.backoff.onRefusal(permit.sentAt, now, retryAfter) }
}

function hasPassed(bucket: Bucket, sentAt: number, now: number): void {
  const { backoff } = bucket
  if (!backoff) return
  backoff.onSuccess(sentAt, now, bucket.rule)
  if (backoff.isOver) bucket.backoff = undefined
}

/** Headers speak of the most particular bucket. They may only tighten a limit that is known. */
function learnLimit({ buckets: [bucket], storeLease }: Permit, { limit, remaining, resetAfter, status }: RateLimitInfo, now: number): void {
  if (!bucket || limit === undefined) return
  const { full } = bucket.family
  if (limit < full.limit) {
    bucket.backoff ??= new Backoff()
    const per =
      full.limit === Number.POSITIVE_INFINITY ? Math.max(blockFor(resetAfter ?? 0, 0), bucket.backoff.reportedLimit?.per ?? 1000) : full.per
    bucket.backoff.reportedLimit = { limit, per }
  } else if (bucket.backoff) bucket.backoff.reportedLimit = undefined
  if (remaining === undefined || status === 429) return
  // What all who share a budget have used is in its book: there it is compared.
  if (storeLease !== undefined && limit >= full.limit) return
  // Slots that are neither ours in flight nor ours cooling are somebody else's: another device, another server.
  const foreign = limit - remaining - bucket.inFlight - bucket.releasing
  if (foreign > 0) bucket.occupyUntil(freeAt(now, bucket.rule.per), foreign)
}

/**
 * The one the service names. A page of the edge or of a proxy is about the route that it answered. Without a name it is the one that was
 * nearest to its limit, of those whose window is as long as the wait.
 */
function refusedBucket(buckets: readonly Bucket[], { scope, isEdge, retryAfter = 0 }: RateLimitInfo, now: number): Bucket | undefined {
  if (scope === 'global') return buckets.find(({ family }) => family.scope === 'global') ?? buckets[buckets.length - 1]
  if (scope !== undefined || isEdge) return buckets[0]
  let tightest = buckets[0]
  for (const bucket of buckets) {
    const isTighter = tightest && use(bucket, now) > use(tightest, now)
    if (isTighter && bucket.family.full.per + margin(bucket.family.full.per) >= retryAfter) tightest = bucket
  }
  return tightest
}

function use(bucket: Bucket, now: number): number {
  const { limit } = bucket.family.full
  return limit === Number.POSITIVE_INFINITY ? 0 : 1 - bucket.free(limit, now) / limit
}
