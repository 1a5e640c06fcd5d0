/** Generated schedules of requests, latencies and losses, and a record of a limiter's reaction to them. */
import * as fc from 'fast-check'
import type { RateLimitStore } from 'foyer-sdk'
import {
  type BucketSpec,
  type LimiterEvents,
  parseRateLimitHeaders,
  type Permit,
  type Priority,
  RateLimiter,
} from '../../../support/internals'
import { KINDS, type WindowKind, Judge } from './counting-service'
import { VirtualClock } from './virtual-clock'

/** 500 schedules per property; `FOYER_SCHEDULES=10000` for a full run, `FOYER_SEED` to replay one. */
export const RUNS: fc.Parameters<unknown> = {
  numRuns: Number(process.env['FOYER_SCHEDULES'] ?? 500),
  ...(process.env['FOYER_SEED'] ? { seed: Number(process.env['FOYER_SEED']) } : {}),
}

export interface PlannedRequest {
  readonly at: number
  /** Index of the route. */
  readonly route: number
  readonly party: string
  readonly priority: Priority
  readonly up: number
  readonly down: number
  /** `lost`: received by the service, given up by the client `patience` after it was sent. */
  readonly fate: 'answered' | 'lost' | 'unused'
  readonly patience: number
  readonly maxWait: number
  /** ms after `at`. */
  readonly abortAfter: number
}

export interface Schedule {
  readonly limit: number
  readonly per: number
  /** Limit of all routes together. */
  readonly all: number
  readonly kind: WindowKind
  readonly phase: number
  readonly rate: number
  readonly headers: boolean
  readonly requests: readonly PlannedRequest[]
}

const ROUTES = 3

interface Dials {
  readonly kinds?: readonly WindowKind[]
  readonly faults?: boolean
  readonly impatience?: boolean
  readonly most?: number
}

/** Schedules of every shape: bursts, steady load, short and long latencies, a clock that runs a little fast or slow. */
export function schedules({
  kinds = KINDS,
  faults = true,
  impatience = false,
  most = 60,
}: Dials = {}): fc.Arbitrary<Schedule> {
  const rules = fc.record({
    limit: fc.integer({ min: 1, max: 20 }),
    per: fc.integer({ min: 50, max: 20_000 }),
    all: fc.integer({ min: 1, max: 40 }),
    kind: fc.constantFrom(...kinds),
    phase: fc.double({ min: 0, max: 1, noNaN: true }),
    rate: fc.constantFrom(0.9999, 1, 1.0001),
    headers: fc.boolean(),
  })
  return rules.chain((rule) => {
    const latency = fc.oneof(
      fc.constant(1),
      fc.integer({ min: 0, max: Math.ceil(rule.per / 3) }),
      fc.integer({ min: 0, max: rule.per * 2 }),
    )
    const request = fc.record({
      at: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: rule.per * 4 })),
      route: fc.integer({ min: 0, max: ROUTES - 1 }),
      party: fc.constantFrom('a', 'b', 'c'),
      priority: fc.constantFrom<Priority>('high', 'normal', 'low'),
      up: latency,
      down: latency,
      fate: faults
        ? fc.constantFrom('answered', 'answered', 'answered', 'lost', 'unused')
        : fc.constant<'answered'>('answered'),
      patience: fc.integer({ min: 0, max: rule.per }),
      maxWait: impatience
        ? fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: rule.per * 3 }))
        : fc.constant(Infinity),
      abortAfter: impatience
        ? fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: rule.per * 3 }))
        : fc.constant(Infinity),
    })
    return fc.array(request, { minLength: 1, maxLength: most }).map((requests) => ({ ...rule, requests }))
  })
}

export interface Outcome {
  readonly request: PlannedRequest
  readonly index: number
  /** Times at which it was started or rejected locally, or neither. */
  granted?: number
  error?: unknown
  settledAt?: number
  ended?: number
}

export interface Report {
  readonly clock: VirtualClock
  readonly limiter: RateLimiter
  readonly outcomes: readonly Outcome[]
  readonly judges: readonly Judge[]
  /** Number of 429 responses. */
  refused: number
}

const routeSpecs = ({ limit, per, all }: Schedule, route: number): BucketSpec[] => [
  { name: `route${route}`, limit, per },
  { name: 'global', limit: all, per },
]

export interface WorldOptions {
  readonly events?: LimiterEvents
  readonly store?: (clock: VirtualClock) => RateLimitStore
  /** Checks the limiter after each step of a request. */
  readonly watch?: (report: Report) => void
  /** The service’s own limit of a route, if it differs from the limiter’s. */
  readonly judges?: (schedule: Schedule) => Judge
}

/** Runs a schedule to its end. */
export async function play(
  schedule: Schedule,
  { events = {}, store, watch, judges: judgeOf }: WorldOptions = {},
): Promise<Report> {
  const clock = new VirtualClock(schedule.rate)
  const limiter = new RateLimiter({ clock, events, ...(store ? { store: store(clock) } : {}) })
  const judges = [...Array.from({ length: ROUTES }, () => schedule.limit), schedule.all].map(
    (limit, index) => (judgeOf && index < ROUTES ? judgeOf(schedule) : new Judge({ ...schedule, limit })),
  )
  const outcomes: Outcome[] = schedule.requests.map((request, index) => ({ request, index }))
  const faults: unknown[] = []
  const report: Report = { clock, limiter, outcomes, judges, refused: 0 }
  for (const outcome of outcomes) clock.at(outcome.request.at, () => void begin(outcome))
  await clock.run(1e9)
  if (faults.length > 0) throw faults[0]
  return report

  /** An error of a check ends the schedule as a failure. */
  function look(): void {
    try {
      watch?.(report)
    } catch (error) {
      faults.push(error)
    }
  }

  async function begin(outcome: Outcome): Promise<void> {
    const { request } = outcome
    const controller = new AbortController()
    if (request.abortAfter < Infinity) clock.at(request.at + request.abortAfter, () => controller.abort())
    const { party, priority, maxWait, route } = request
    try {
      const requested = limiter.acquire({
        buckets: routeSpecs(schedule, route),
        fairnessKey: party,
        priority,
        maxWait,
        signal: controller.signal,
      })
      const lease = await requested
      outcome.granted = clock.time
      send(outcome, lease)
    } catch (error) {
      outcome.error = error
    }
    outcome.settledAt = clock.time
    look()
  }

  function send(outcome: Outcome, lease: Permit): void {
    const { request } = outcome
    if (request.fate === 'unused') return end(outcome, () => lease.unused())
    const { time } = clock
    // A request that timed out reaches the service within the grace period, or never.
    const up = request.fate === 'lost' ? Math.min(request.up, request.patience + 900) : request.up
    if (request.fate === 'lost') clock.at(time + request.patience, () => end(outcome, () => lease.lost()))
    clock.at(time + up, () => {
      const verdicts = [judges[request.route], judges[ROUTES]].map((judge) => judge?.check(clock.time))
      const isRefused = verdicts.some((verdict) => verdict?.isRefused)
      if (isRefused) report.refused++
      if (request.fate === 'lost') return
      const [particular] = verdicts
      const received: Record<string, string> = {
        'x-ratelimit-limit': String(schedule.limit),
        'x-ratelimit-remaining': String(particular?.remaining),
        'x-ratelimit-reset-after': String((particular?.resetAfter ?? 0) / 1000),
      }
      const header = (name: string) => (schedule.headers ? (received[name] ?? null) : null)
      const body = isRefused ? { retry_after: (particular?.resetAfter ?? 0) / 1000, global: false } : {}
      const news = parseRateLimitHeaders({ status: isRefused ? 429 : 200, header, body }, clock.now())
      clock.at(clock.time + request.down, () => end(outcome, () => lease.answered(news)))
    })
  }

  function end(outcome: Outcome, finish: () => void): void {
    outcome.ended = clock.time
    finish()
    look()
  }
}
