/** The one budget of a backend: whatever somebody outside causes at the service is sent by a client of this budget, which knows who asks. */
import type { Clock } from '../../shared/foundation/clock'
import { RateLimitError } from '../../shared/foundation/errors'
import { ownFields } from '../../shared/foundation/untrusted-values'
import type { Api, Limiter, Credentials } from '../../shared/http/api'
import type { Transport } from '../../shared/http/http-client'
import type { BucketSpec } from '../../shared/rate-limit/bucket'
import type { LimitRequest } from '../../shared/rate-limit/limiter-options'
import type { Priority } from '../../shared/rate-limit/fair-queue'
import type { RateLimitInfo } from '../../shared/rate-limit/rate-limit-info'
import { limitsOf } from '../../shared/service/limits'
import type { ServiceConfig } from '../../shared/service/service-config'
import type { BackendCaller } from './backend-caller'
import { type BudgetRule, RequestBudget } from './request-budget'
import { TurnQueue } from './turn-queue'

/** Requests that each of these callers may cause: a number at once, and then one in each interval. */
const RULES: Readonly<Record<Exclude<BackendCaller['kind'], 'session'>, BudgetRule>> = {
  player: { burst: 30, interval: 200 },
  stranger: { burst: 30, interval: 200 },
  // A page says so, and nobody can check it.
  refused: { burst: 5, interval: 30_000 },
}
/** Share of the limit of all requests that strangers may use together. */
const STRANGERS = 0.5
/**
 * Share that strangers and calls of low priority may use together, such as a hub's reads for players of whom it knows nothing. A window that they
 * have filled would let a call of the bot wait for a second, and the news of it for another one.
 */
const BACKGROUND = 0.7
/**
 * Looked up tokens of strangers in a second: 6,000 in ten minutes. The service blocks an address after 10,000 refusals, and theirs count for
 * no circuit breaker, since that would keep out everybody else.
 */
const LOOKUPS: BucketSpec = { name: 'strangers_tokens', limit: 10, per: 1000 }
/** Requests that wait until as many as a second allows are under way. */
const WAITING = { players: 1000, strangers: 100 }
/**
 * Processes that probably share a store. What has left its queue waits for the limits of all processes, in which newcomers do not go first:
 * each process lets only its part of a second wait there.
 */
const PROCESSES = 4
/** ms that somebody waits for rate limits. Afterwards the caller learns when to try again. */
const MAX_WAIT = 5000
const SECOND = 1000
/**
 * ms that a caller waits for its own share of all processes. A player who keeps to the share has to wait for a moment now and then. What a
 * stranger's address sends beyond its share is refused at once, or it would wait in the places of others.
 */
const SHARE_WAIT: Readonly<Record<keyof typeof RULES, number>> = { player: 1000, stranger: 0, refused: 0 }
/** Statuses that a circuit breaker counts, and one that it does not. */
const REFUSED = new Set([401, 403])
const OTHER = 404
/** A share that was taken, for the limiter: nothing was refused. */
const TAKEN = 200
/** ms between two removals of full allowances. */
const SWEEP = 60_000

const PRIORITIES: Readonly<Record<BackendCaller['kind'], Priority>> = {
  session: 'high',
  refused: 'high',
  player: 'normal',
  stranger: 'low',
}

export interface ServiceBudgetOptions {
  readonly api: Api
  /** The limiter of that client. */
  readonly limiter: Limiter
  readonly service: Readonly<ServiceConfig>
  readonly clock: Clock
  /** True if the limits are counted in a store of all processes. */
  readonly isShared: boolean
  /** ms that a call waits at most. */
  readonly maxWait: number
}

/** Rejects if a request may not be sent any more. */
export type BeforeSend = () => Promise<void>

export interface CallerApiOptions {
  readonly credentials?: Credentials
  /** Called when a request has waited for its turn and its limits, also before it is repeated. Default: nothing. */
  readonly beforeSend?: BeforeSend
  /** ms for one request. Default: that of the backend. */
  readonly timeout?: number
}

/** The limit of strangers and of calls of low priority, after that of all requests, which headers of the service describe. */
export function backgroundOf(service: Readonly<ServiceConfig>): BucketSpec {
  const { limit, per } = limitsOf(service).global
  return { name: 'background', scope: 'global', limit: Math.ceil(limit * BACKGROUND), per }
}

const NOBODY: Credentials = { header: async () => '', renew: async () => false }

/** The service for one caller. */
export type CallerApi = Pick<Api, 'send' | 'exchange' | 'sendJson'>

export class ServiceBudget {
  readonly #options: ServiceBudgetOptions
  readonly #allowances: Readonly<Record<keyof typeof RULES, RequestBudget>>
  readonly #queues: Readonly<Record<'players' | 'codes' | 'lookups', TurnQueue>>
  #sweepAt = 0

  constructor(options: ServiceBudgetOptions) {
    this.#options = options
    const { clock } = options
    const { player, stranger, refused } = RULES
    this.#allowances = {
      player: new RequestBudget(clock, player),
      stranger: new RequestBudget(clock, stranger),
      refused: new RequestBudget(clock, refused),
    }
    const maxWait = Math.min(MAX_WAIT, options.maxWait)
    const makeError = () => refusal(clock, 'queue', SECOND)
    const strangers = { clock, maxWait, makeError, waiting: WAITING.strangers, isNewestFirst: true }
    const { limit, per } = limitsOf(options.service).global
    const inASecond = Math.ceil((limit * SECOND) / per)
    const parts = options.isShared ? PROCESSES : 1
    this.#queues = {
      players: new TurnQueue({
        clock,
        maxWait,
        makeError,
        waiting: WAITING.players,
        running: Math.ceil(inASecond / parts),
      }),
      codes: new TurnQueue({ ...strangers, running: Math.ceil((inASecond * STRANGERS) / parts) }),
      lookups: new TurnQueue({ ...strangers, running: Math.ceil(LOOKUPS.limit / parts) }),
    }
  }

  /**
   * The service for what this caller causes. Each request rejects with RateLimitError `rate_limited` as soon as the caller has caused too
   * many. Without credentials, a request has to bring its own.
   */
  clientFor(caller: BackendCaller, options?: CallerApiOptions): CallerApi {
    const { credentials = NOBODY, timeout, beforeSend } = ownFields<CallerApiOptions>({ ...options })
    const api = this.#options.api.as(credentials, ({ limiter, transport, timeout: usual }) => ({
      transport: beforeSend ? checkedTransport(transport, beforeSend) : transport,
      limiter: this.#limiterFor(caller, limiter),
      timeout: timeout ?? usual,
    }))
    const run = async <Result>(
      work: () => Promise<Result>,
      strangers: 'codes' | 'lookups',
    ): Promise<Result> => {
      this.#require(caller)
      await this.#takeShare(caller)
      if (caller.kind === 'session' || caller.kind === 'refused') return work()
      return this.#queues[caller.kind === 'player' ? 'players' : strangers].run(keyOf(caller), work)
    }
    return {
      send: (call) => run(() => api.send(call), 'lookups'),
      exchange: (call) => run(() => api.exchange(call), 'lookups'),
      sendJson: (request) => run(() => api.sendJson(request), 'codes'),
    }
  }

  get #maxWait(): number {
    return Math.min(MAX_WAIT, this.#options.maxWait)
  }

  /** The limits of the service, and those that all strangers have. */
  #limiterFor(caller: BackendCaller, limiter: Limiter): Limiter {
    const [fairnessKey, priority] = [keyOf(caller), PRIORITIES[caller.kind]]
    const capped = (given: number | undefined) =>
      caller.kind === 'session' ? given : Math.min(this.#maxWait, given ?? MAX_WAIT)
    if (caller.kind === 'stranger') {
      const { service } = this.#options
      const { limit, per } = limitsOf(service).global
      const all = { name: 'strangers', limit: Math.ceil(limit * STRANGERS), per }
      return acquireForStrangers(limiter, { all, background: backgroundOf(service) }, (given) => ({
        fairnessKey,
        priority,
        maxWait: capped(given),
      }))
    }
    return {
      acquire: ({ maxWait, ...request }) =>
        limiter.acquire({ ...request, fairnessKey, priority, maxWait: capped(maxWait) }),
    }
  }

  /**
   * Takes from what the caller may cause at all processes together, before its turn: whoever has used it up holds no place that others need.
   *
   * @throws RateLimitError `rate_limited`.
   */
  async #takeShare(caller: BackendCaller): Promise<void> {
    const key = keyOf(caller)
    if (!this.#options.isShared || caller.kind === 'session' || key === '') return
    const { burst, interval } = RULES[caller.kind]
    const share = { name: caller.kind, key, limit: burst, per: burst * interval }
    const permit = await this.#options.limiter.acquire({
      buckets: [share],
      priority: PRIORITIES[caller.kind],
      maxWait: SHARE_WAIT[caller.kind],
    })
    permit.answered({ status: TAKEN })
  }

  /** @throws RateLimitError `rate_limited` for a caller who has used up what each may cause. */
  #require(caller: BackendCaller): void {
    const { clock } = this.#options
    this.#sweep(clock.now())
    const key = keyOf(caller)
    // Without an address nobody can be told apart: then all share what strangers have.
    if (caller.kind === 'session' || key === '' || this.#allowances[caller.kind].take(key)) return
    throw refusal(clock, caller.kind, RULES[caller.kind].interval)
  }

  #sweep(now: number): void {
    if (now < this.#sweepAt) return
    this.#sweepAt = now + SWEEP
    for (const allowance of Object.values(this.#allowances)) allowance.sweep()
  }
}

/**
 * Their limits come first, since a pause that the service asks for is for those who caused it. Nothing else is learned from their responses:
 * refused tokens count for no circuit breaker.
 */
function acquireForStrangers(
  limiter: Limiter,
  { all, background }: { all: BucketSpec; background: BucketSpec },
  parts: (maxWait: number | undefined) => Pick<LimitRequest, 'fairnessKey' | 'priority' | 'maxWait'>,
): Limiter {
  return {
    async acquire(request) {
      const lookups = request.buckets[0]?.name.startsWith('GET ') ? [LOOKUPS] : []
      const permit = await limiter.acquire({
        ...request,
        ...parts(request.maxWait),
        buckets: [...lookups, all, ...request.buckets, background],
      })
      const answered = permit.answered.bind(permit)
      permit.answered = (info) => answered(withoutLimits(info))
      return permit
    },
  }
}

function withoutLimits({ status, scope, retryAfter, isEdge }: RateLimitInfo): RateLimitInfo {
  if (REFUSED.has(status)) return { status: OTHER }
  return { status, retryAfter, ...(scope && { scope }), ...(isEdge && { isEdge }) }
}

function checkedTransport(transport: Transport, beforeSend: BeforeSend): Transport {
  return (request) => {
    const aborted = new AbortController()
    const send = async () => {
      await beforeSend()
      aborted.signal.throwIfAborted()
      const transfer = transport(request)
      aborted.signal.addEventListener('abort', () => transfer.abort())
      return transfer.answer
    }
    return { answer: send(), abort: () => aborted.abort() }
  }
}

function keyOf(caller: BackendCaller): string {
  if (caller.kind === 'session') return ''
  return caller.kind === 'stranger' ? caller.address : caller.id
}

function refusal(clock: Clock, bucket: string, retryAfter: number): RateLimitError {
  return new RateLimitError('rate_limited', {
    retryAfter,
    resetAt: clock.now() + retryAfter,
    bucket,
    scope: 'user',
  })
}
