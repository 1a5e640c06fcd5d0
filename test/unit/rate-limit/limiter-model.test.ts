/** The limiter does what a simple model of it does, at every moment of generated schedules in virtual time. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BucketSpec, Permit, RateLimiter, type RateLimitInfo } from '../../support/internals'
import { ManualClock } from '../../support/manual-clock'
import { settle } from '../../support/settle'
import { LimiterModel, type ModelOptions, type Outcome } from './support/limiter-model'

type Step =
  | { do: 'send'; count: number; maxWait?: number }
  | { do: 'answer'; which: number; info: RateLimitInfo }
  | { do: 'lose' | 'drop' | 'cancel'; which: number }
  | { do: 'pass'; ms: number }
  /** Sends and answers one request after the other, each a moment later. */
  | { do: 'serve'; count: number; ms: number; info: RateLimitInfo }
  | { do: 'clear' }

const OK: RateLimitInfo = { status: 200 }
const REFUSED: RateLimitInfo = { status: 429, retryAfter: 20 }
const JOIN: BucketSpec = { name: 'join', limit: 3, per: 1000 }
const GLOBAL: BucketSpec = { name: 'global', limit: 5, per: 5000 }
const TOLERANT = { soft: 1e6, hard: 1e6, per: 600_000 }

const count = fc.integer({ min: 1, max: 12 })
const which = fc.nat(7)
const retryAfter = fc.constantFrom(0, 100, 1002, 1003, 2500, 5002, 5003, 400_000)
const refusals: fc.Arbitrary<RateLimitInfo> = fc.record(
  {
    status: fc.constant(429),
    retryAfter,
    scope: fc.constantFrom('user' as const, 'global' as const, 'shared' as const),
  },
  { requiredKeys: ['status', 'retryAfter'] },
)
const responses: fc.Arbitrary<RateLimitInfo> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(OK) },
  { weight: 3, arbitrary: refusals },
  { weight: 1, arbitrary: fc.record({ status: fc.constantFrom(401, 403, 404, 500) }) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        status: fc.constantFrom(200, 200, 429),
        limit: fc.integer({ min: 1, max: 60 }),
        remaining: fc.nat(4),
        resetAfter: fc.constantFrom(10, 3000, 900_000),
      },
      { requiredKeys: ['status', 'limit'] },
    ),
  },
)
const passed = fc.constantFrom(1, 2, 50, 125, 499, 1000, 1002, 5000, 17_000, 40_000)
const pause = fc.constantFrom(1, 20, 125, 1002, 4000)

function steps({ hasDeadlines = false } = {}): fc.Arbitrary<Step[]> {
  const maxWait = fc.integer({ min: 0, max: 4000 }).map((ms) => ms + 0.5)
  const send = hasDeadlines
    ? fc.record({ do: fc.constant('send' as const), count, maxWait }, { requiredKeys: ['do', 'count'] })
    : fc.record({ do: fc.constant('send' as const), count })
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 5, arbitrary: send },
    { weight: 7, arbitrary: fc.record({ do: fc.constant('answer' as const), which, info: responses }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('lose' as const, 'drop' as const, 'cancel' as const),
        which,
      }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: passed }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('serve' as const),
        count: fc.integer({ min: 1, max: 20 }),
        ms: pause,
        info: fc.constantFrom(OK, OK, REFUSED),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const) }) },
  )
  return fc.array(step, { minLength: 5, maxLength: 40, size: 'max' })
}

/** A limiter and its model, which get the same calls at the same moments. */
class Pair {
  readonly clock = new ManualClock(0)
  readonly outcomes = new Map<number, Outcome>()
  readonly events: string[] = []
  readonly model: LimiterModel
  readonly limiter: RateLimiter
  readonly #options: ModelOptions
  readonly #permits = new Map<number, Permit>()
  readonly #aborts = new Map<number, AbortController>()
  #sent = 0

  constructor(options: ModelOptions) {
    this.#options = options
    this.model = new LimiterModel(options)
    this.limiter = new RateLimiter({
      clock: this.clock,
      breaker: { ...options.breaker, per: TOLERANT.per },
      events: {
        delayed: ({ bucket, wait, ahead }) => this.events.push(`delayed ${bucket} ${wait} ${ahead}`),
        limited: ({ bucket, retryAfter: wait, by }) => this.events.push(`limited ${bucket} ${wait} ${by}`),
      },
    })
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'send') for (let i = 0; i < step.count; i++) this.#send(step.maxWait)
    else if (step.do === 'pass') this.#pass(step.ms)
    else if (step.do === 'serve') for (let i = 0; i < step.count; i++) await this.#serve(step)
    else if (step.do === 'cancel') this.#cancel(step.which)
    else if (step.do === 'clear') {
      this.model.clearBlocks()
      await this.limiter.clearBlocks(this.#options.buckets)
    } else this.#finish(step)
    await settle()
  }

  #send(maxWait?: number): void {
    const id = this.#sent++
    const abort = new AbortController()
    this.#aborts.set(id, abort)
    this.model.send(id, maxWait)
    const granted = (permit: Permit) => {
      this.#permits.set(id, permit)
      this.outcomes.set(id, permit.sentAt)
    }
    const failed = (error: unknown) => void this.outcomes.set(id, String(Reflect.get(Object(error), 'code')))
    try {
      const permit = this.limiter.acquire({ buckets: this.#options.buckets, maxWait, signal: abort.signal })
      if (permit instanceof Permit) granted(permit)
      else permit.then(granted, failed)
    } catch (error) {
      failed(error)
    }
  }

  #pass(ms: number): void {
    this.model.advance(ms)
    this.clock.advance(ms)
  }

  async #serve({ ms, info }: { ms: number; info: RateLimitInfo }): Promise<void> {
    this.#send()
    this.#pass(ms)
    await settle()
    this.#finish({ do: 'answer', which: 0, info })
    await settle()
  }

  #finish(
    step:
      | { do: 'answer'; which: number; info: RateLimitInfo }
      | { do: 'lose' | 'drop' | 'cancel'; which: number },
  ): void {
    const ids = [...this.model.sent.keys()]
    const id = ids[step.which % ids.length]
    const permit = id === undefined ? undefined : this.#permits.get(id)
    if (id === undefined || !permit) return
    if (step.do === 'answer') {
      this.model.answer(id, step.info)
      permit.answered(step.info)
    } else if (step.do === 'lose') {
      this.model.lose(id)
      permit.lost()
    } else {
      this.model.drop(id)
      permit.unused()
    }
  }

  #cancel(choice: number): void {
    const { waiting } = this.model
    const id = waiting[choice % waiting.length]
    if (id === undefined) return
    this.model.cancel(id)
    this.#aborts.get(id)?.abort()
  }
}

/** Outcomes by request, usage and events after each step, of the limiter and of its model. `isTold`: which events the model knows. */
async function play(
  options: ModelOptions,
  schedule: readonly Step[],
  isTold: (event: string) => boolean = () => true,
) {
  const pair = new Pair(options)
  const { model, limiter, clock } = pair
  const [real, modelled]: [unknown[], unknown[]] = [[], []]
  for (const step of schedule) {
    await pair.take(step)
    real.push({
      step,
      outcomes: new Map(pair.outcomes),
      limits: limiter.limits(),
      events: pair.events.filter(isTold),
    })
    modelled.push({
      step,
      outcomes: new Map(model.outcomes),
      limits: model.limits(),
      events: model.events.filter(isTold),
    })
  }
  limiter.close()
  await settle()
  return { real: [...real, clock.waiting], modelled: [...modelled, 0] }
}

const RUNS = { numRuns: 150, seed: 20_260_101 }
const limits = fc.constantFrom(1, 3, 9, 50, 50, Number.POSITIVE_INFINITY)

describe('the limiter starts, delays and rejects as its model does', () => {
  it('requests that wait as long as they may for one limit', async () => {
    const property = fc.asyncProperty(limits, steps({ hasDeadlines: true }), async (limit, schedule) => {
      const { real, modelled } = await play({ buckets: [{ ...JOIN, limit }], breaker: TOLERANT }, schedule)
      expect(real).toEqual(modelled)
    })
    await fc.assert(property, RUNS)
  })

  it('requests that need two limits, of a client that refusals slow down and stop', async () => {
    const property = fc.asyncProperty(limits, steps(), async (limit, schedule) => {
      const options = { buckets: [{ ...JOIN, limit }, GLOBAL], breaker: { soft: 4, hard: 12 } }
      // A request that waits for the other limit learns of a block when it comes to it.
      const { real, modelled } = await play(options, schedule, (event) => event.endsWith('service'))
      expect(real).toEqual(modelled)
    })
    await fc.assert(property, RUNS)
  })
})
