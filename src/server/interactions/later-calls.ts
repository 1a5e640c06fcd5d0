/** Calls after the first response of one interaction: one after another, and until its token expires. */
import { pause } from '../../shared/foundation/in-time'
import type { Clock } from '../../shared/foundation/clock'
import { ApiError, FoyerError, NetworkError } from '../../shared/foundation/errors'
import type { InteractionCall, InteractionCalls } from './interaction-calls'
import { InteractionError } from './interaction-error'
import { FIRST_RESPONSE_TIME, type InteractionTimes, TOKEN_LIFETIME } from './interaction-times'

export interface LaterCallsContext {
  readonly clock: Clock
  readonly calls: InteractionCalls | undefined
  readonly times: InteractionTimes
}

/** Time in ms after which a launch that nothing confirms is given up, so that a deferral is still possible. */
const CONFIRMATION = 2_800
/** Delays in ms after a 404: a call may reach the service before the first response. The last one is repeated. */
const FIRST_DELAY = 200
const LAST_DELAY = 800

export class LaterCalls {
  readonly #context: LaterCallsContext
  #last: Promise<unknown> = Promise.resolve()

  constructor(context: LaterCallsContext) {
    this.#context = context
  }

  /** Runs `act` after those before it have ended. */
  run<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#last.then(act)
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Sends the first response as a call, within the time for it. */
  async sendFirst(call: InteractionCall): Promise<unknown> {
    const { clock, times } = this.#context
    const deadline = times.since + CONFIRMATION
    return this.#callsFor('launchActivity').send({
      ...call,
      deadline,
      timeout: Math.max(1, deadline - clock.now()),
    })
  }

  /**
   * Sends a call. A 404 means "not yet" while the first response may still be on its way.
   * @throws InteractionError `service_missing`, `token_expired`. @throws ApiError, NetworkError, RateLimitError.
   */
  async send(call: InteractionCall): Promise<unknown> {
    const { clock, times } = this.#context
    const calls = this.#callsFor(call.route)
    const deadline = times.since + TOKEN_LIFETIME
    const firstIsOver = times.received + FIRST_RESPONSE_TIME
    for (let delay = FIRST_DELAY; ; delay = Math.min(2 * delay, LAST_DELAY)) {
      const sentAt = clock.now()
      if (sentAt >= deadline) throw new InteractionError('token_expired', call.route)
      try {
        return await calls.send({ ...call, deadline })
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404 && sentAt < firstIsOver)) throw error
      }
      const wait = Math.max(0, Math.min(delay, firstIsOver - clock.now()))
      await pause(clock, wait)
    }
  }

  #callsFor(subject: string): InteractionCalls {
    const { calls } = this.#context
    if (!calls) throw new InteractionError('service_missing', subject)
    return calls
  }
}

/** True if a failed call may have been applied: its response got lost, or comes from a gateway that had handed it over. */
export function mayBeApplied(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500
  return error instanceof NetworkError || (error instanceof FoyerError && error.code === 'response_too_large')
}
