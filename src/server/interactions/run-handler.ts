/** Runs handlers and ensures a timely response. */
import type { Clock } from '../../shared/foundation/clock'
import { isRecord } from '../../shared/foundation/untrusted-values'
import type {
  ApplicationCommandAutocompleteInteraction,
  PlayerInteraction,
} from '../../shared/wire/interaction-request'
import type { AutocompleteChoice } from '../../shared/wire/interaction-response'
import { EncodedBody } from '../messages/encode-body'
import { withBlobsRead } from '../messages/with-blobs-read'
import { responseBody } from './response-body'
import { noAnswer, subjectOf } from './response-errors'
import { ResponseState, type FirstResponse } from './response-state'
import type { InteractionTimes } from './interaction-times'
import type { InteractionCalls } from './interaction-calls'
import type { Reply } from './interaction-types'
import type { Visibility } from './visibility'
import { InteractionError } from './interaction-error'
import { InteractionMethods } from './interaction-methods'
import { asInteractionError, type Report } from './report'

/** Time in ms for autocomplete handlers; longer than for others because autocomplete cannot be deferred. */
const AUTOCOMPLETE_TIMEOUT = 2_500
const NO_DEFERRAL =
  'Pass service: { host } to createInteractionHandler: a slow handler is deferred then, and without it nothing can be'
const NO_SLOW_CHOICES = 'Suggestions have 2.5 s and cannot be deferred: return fewer, or those of a cache'

/** Returns the message shown to the player after a failure. */
export type ErrorMessage = (error: InteractionError, locale: string | undefined) => string

export interface RunContext {
  readonly calls: InteractionCalls | undefined
  readonly clock: Clock
  readonly report: Report
  readonly errorMessage: ErrorMessage
  /** Time in ms until automatic deferral. */
  readonly deferAfter: number
}

/** Interaction with its moments. */
export interface ReceivedInteraction<I extends PlayerInteraction = PlayerInteraction> {
  readonly interaction: I
  readonly times: InteractionTimes
}

/** First response, and completion of the handler. Neither promise rejects. */
export interface HandlerOutcome {
  readonly first: Promise<FirstResponse>
  readonly done: Promise<unknown>
}

/** Calls a handler. `declare` sets the visibility of its deferral, before anything else. */
export type Work = (
  methods: InteractionMethods,
  declare: (visibility: Visibility | undefined) => void,
) => unknown

/** Runs a handler of a command, component or modal. */
export function runHandler(received: ReceivedInteraction, context: RunContext, work: Work): HandlerOutcome {
  let done: Promise<void> | undefined
  const first = new Promise<FirstResponse>((resolve) => {
    const handlerRun = new HandlerRun(received, context, resolve)
    done = handlerRun.run(work)
    handlerRun.startTimer()
  })
  return { first, done: done ?? first }
}

/** Run of one handler until it completes. */
class HandlerRun {
  readonly #received: ReceivedInteraction
  readonly #context: RunContext
  readonly #response: ResponseState
  /** Undefined until the first one. */
  #reported: Set<unknown> | undefined
  #cancel: (() => void) | undefined
  /** The error message was the first response, since nothing can be deferred. */
  #isTooSlow = false

  constructor(received: ReceivedInteraction, context: RunContext, first: (response: FirstResponse) => void) {
    const { clock, calls } = context
    this.#received = received
    this.#context = context
    this.#response = new ResponseState(
      received.interaction,
      { clock, calls, times: received.times },
      (given) => {
        this.#cancel?.()
        first(given)
      },
    )
  }

  async run(work: Work): Promise<void> {
    const methods = new InteractionMethods(this.#response, (error) => this.#report(error))
    try {
      const result = work(methods, (visibility) => this.#response.declare(visibility))
      const reply = isThenable(result) ? await result : result
      if (isReply(reply)) await withBlobsRead(reply, (ready) => this.#response.reply(ready))
      await InteractionMethods.idle(methods)
      if (this.#response.isPending) throw noAnswer(subjectOf(this.#received.interaction), reply)
    } catch (error) {
      await InteractionMethods.idle(methods)
      await this.#sendErrorMessage(error)
    }
  }

  /** Starts the deferral timer. Most handlers have responded by now and need none. */
  startTimer(): void {
    if (!this.#response.isUnanswered) return
    const { clock, calls, deferAfter } = this.#context
    this.#cancel = clock.after(Math.max(0, this.#received.times.since + deferAfter - clock.now()), () => {
      if (calls) this.#response.expire()
      else void this.#giveUp()
    })
  }

  /** Answers in time with the error message: without a service nothing can be deferred. */
  async #giveUp(): Promise<void> {
    const error = new InteractionError('too_slow', subjectOf(this.#received.interaction), {
      remedy: NO_DEFERRAL,
    })
    await this.#sendErrorMessage(error)
    this.#isTooSlow = true
  }

  async #sendErrorMessage(error: unknown): Promise<void> {
    const content = messageOf(this.#report(error), this.#context, this.#received.interaction.locale)
    try {
      await this.#response.fail(content)
    } catch (failure) {
      this.#report(failure)
    }
  }

  /** Reports an error once, although handlers usually rethrow the failure of a response. */
  #report(error: unknown): InteractionError {
    const typed = asInteractionError(error, subjectOf(this.#received.interaction))
    const reported = (this.#reported ??= new Set())
    // The handler's own answer is late only because this was not deferred.
    const isConsequence = this.#isTooSlow && typed.code === 'already_answered'
    if (!isConsequence && !reported.has(error)) this.#context.report(typed, this.#received.interaction)
    reported.add(error)
    return typed
  }
}

/** Runs an autocomplete handler. */
export function runAutocomplete(
  received: ReceivedInteraction<ApplicationCommandAutocompleteInteraction>,
  context: RunContext,
  work: () => Promise<readonly AutocompleteChoice[]>,
): HandlerOutcome {
  const { interaction, times } = received
  const { clock, report } = context
  const fail = (error: InteractionError): EncodedBody => {
    report(error, interaction)
    return choicesBody([])
  }
  const first = new Promise<EncodedBody>((resolve) => {
    const cancel = clock.after(Math.max(0, times.latest + AUTOCOMPLETE_TIMEOUT - clock.now()), () =>
      resolve(fail(new InteractionError('too_slow', subjectOf(interaction), { remedy: NO_SLOW_CHOICES }))),
    )
    const run = async (): Promise<void> => {
      let body: EncodedBody
      try {
        body = choicesBody(await work())
      } catch (error) {
        body = fail(asInteractionError(error, subjectOf(interaction)))
      }
      cancel()
      resolve(body)
    }
    void run()
  })
  return { first, done: first }
}

const choicesBody = (choices: readonly AutocompleteChoice[]): EncodedBody =>
  EncodedBody.of(responseBody({ type: 8, data: { choices } }))

/** Avoids an `await` for synchronous results. */
const isThenable = (result: unknown): boolean => isRecord(result) && typeof result['then'] === 'function'

/** Handlers may also return the message of `followUp` or `editReply`, or a launched instance. */
const isReply = (result: unknown): result is Reply | string =>
  typeof result === 'string' || (isRecord(result) && !('id' in result) && !('instanceId' in result))

function messageOf(
  error: InteractionError,
  { errorMessage }: RunContext,
  locale: string | undefined,
): string {
  try {
    return errorMessage(error, locale)
  } catch {
    return defaultErrorMessage(error)
  }
}

/** Reveals no internals. */
export function defaultErrorMessage({ code }: InteractionError): string {
  return code.startsWith('unknown_')
    ? 'This command is not available.'
    : 'Something went wrong. Please try again.'
}
