/** Permission to send one request, settled once in one of three ways, and what a response changes in the buckets of its permit. */
import type { Bucket } from './bucket'
import type { RateLimitInfo } from './rate-limit-info'
import { Backoff } from './backoff'
import { blockFor, freeAt, margin } from './store-port'

/** Outcome of a request: answered; lost, so that it may have been counted or not; or never sent. */
export type Outcome =
  | { readonly kind: 'answered'; readonly info: RateLimitInfo }
  | { readonly kind: 'lost' }
  | { readonly kind: 'unused' }

export type OnSettled = (permit: Permit, outcome: Outcome) => void

const LOST: Outcome = { kind: 'lost' }
const UNUSED: Outcome = { kind: 'unused' }

export class Permit {
  readonly buckets: readonly Bucket[]
  /** Sequence number of the request's first attempt, which determines its position in the queue. */
  readonly sequence: number
  /** Monotonic ms. */
  readonly sentAt: number
  /** Name of the lease in the shared store. */
  storeLease: string | undefined
  /** Monotonic ms of the request for the lease: the store granted it no earlier. */
  heldSince: number
  #onSettled: OnSettled | undefined

  constructor(
    { buckets, sequence, sentAt }: Pick<Permit, 'buckets' | 'sequence' | 'sentAt'>,
    onSettled: OnSettled,
  ) {
    this.buckets = buckets
    this.sequence = sequence
    this.sentAt = sentAt
    this.heldSince = sentAt
    this.#onSettled = onSettled
  }

  /** A response has arrived, whatever its status. */
  answered(info: RateLimitInfo): void {
    this.#finish({ kind: 'answered', info })
  }

  /** No response will arrive, and the service may or may not have counted the request. */
  lost(): void {
    this.#finish(LOST)
  }

  /** The request was never sent: its slots are free at once. */
  unused(): void {
    this.#finish(UNUSED)
  }

  #finish(outcome: Outcome): void {
    const onSettled = this.#onSettled
    this.#onSettled = undefined
    onSettled?.(this, outcome)
  }
}

/** The bucket that a 429 blocks, and for how long. */
export interface BlockedBucket {
  readonly bucket: Bucket
  readonly retryAfter: number
  readonly isNew: boolean
}

/** Processes a response that arrived at `now`. Returns the block that a 429 causes. */
export function applyResponse(permit: Permit, info: RateLimitInfo, now: number): BlockedBucket | undefined {
  learnLimit(permit, info, now)
  if (info.status !== 429) {
    for (const bucket of permit.buckets) recordSuccess(bucket, permit.sentAt, now)
    return undefined
  }
  const bucket = refusedBucket(permit.buckets, info, now)
  if (!bucket) return undefined
  const retryAfter = blockFor(info.retryAfter ?? 0, info.isEdge ? 0 : bucket.definition.full.per)
  bucket.backoff ??= new Backoff()
  return { bucket, retryAfter, ...bucket.backoff.onRefusal(permit.sentAt, now, retryAfter) }
}

function recordSuccess(bucket: Bucket, sentAt: number, now: number): void {
  const { backoff } = bucket
  if (!backoff) return
  backoff.onSuccess(sentAt, now, bucket.rule)
  if (backoff.isOver) bucket.backoff = undefined
}

/**
 * The bucket that response headers describe: the one with the stated limit, otherwise the most specific one. A request that counts for a
 * player and for the application gets headers of one of the two.
 */
function describedBucket(buckets: readonly Bucket[], limit: number | undefined): Bucket | undefined {
  return (
    buckets.find(({ definition: { scope, full } }) => scope !== 'global' && full.limit === limit) ??
    buckets[0]
  )
}

/** Used slots of the most specific bucket, if the headers describe that one. */
export function reportedUse(
  buckets: readonly Bucket[],
  { limit = 0, remaining = limit }: RateLimitInfo,
): number {
  return describedBucket(buckets, limit) === buckets[0] ? limit - remaining : 0
}

/** Headers can only lower a known limit. */
function learnLimit(
  { buckets, storeLease }: Permit,
  { limit, remaining, resetAfter, status }: RateLimitInfo,
  now: number,
): void {
  const bucket = limit === undefined ? undefined : describedBucket(buckets, limit)
  if (!bucket || limit === undefined) return
  const { full } = bucket.definition
  if (limit < full.limit) {
    bucket.backoff ??= new Backoff()
    const per =
      full.limit === Number.POSITIVE_INFINITY
        ? Math.max(blockFor(resetAfter ?? 0, 0), bucket.backoff.reportedLimit?.per ?? 1000)
        : full.per
    bucket.backoff.reportedLimit = { limit, per }
  } else if (bucket.backoff) bucket.backoff.reportedLimit = undefined
  if (remaining === undefined || status === 429) return
  // Usage by other clients is in the shared store, which compares it on settlement.
  if (storeLease !== undefined && limit >= full.limit) return
  // Used slots that this client neither has in flight nor releasing belong to another device or server.
  const foreign = limit - remaining - bucket.inFlight - bucket.releasing
  if (foreign > 0) bucket.occupyUntil(freeAt(now, bucket.rule.per), foreign)
}

/**
 * The bucket that a 429 is about: the one that the scope names; for a response of the edge or of a proxy, the route's own; otherwise the
 * bucket closest to its limit whose window is at least as long as the wait.
 */
function refusedBucket(
  buckets: readonly Bucket[],
  { scope, isEdge, retryAfter = 0 }: RateLimitInfo,
  now: number,
): Bucket | undefined {
  if (scope === 'global')
    return buckets.find(({ definition }) => definition.scope === 'global') ?? buckets[buckets.length - 1]
  if (scope !== undefined || isEdge) return buckets[0]
  let tightest = buckets[0]
  for (const bucket of buckets) {
    const isTighter = tightest && utilization(bucket, now) > utilization(tightest, now)
    if (isTighter && bucket.definition.full.per + margin(bucket.definition.full.per) >= retryAfter)
      tightest = bucket
  }
  return tightest
}

function utilization(bucket: Bucket, now: number): number {
  const { limit } = bucket.definition.full
  return limit === Number.POSITIVE_INFINITY ? 0 : 1 - bucket.free(limit, now) / limit
}
