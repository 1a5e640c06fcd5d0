/** Sees to it that an interaction is answered, in time, whatever its handler does. */
import type { Clock } from '../foundation/clock'
import { isRecord } from '../foundation/encoding'
import type { ApplicationCommandAutocompleteInteraction, PlayerInteraction } from '../wire/interaction'
import type { InteractionResponse } from '../wire/interaction-response'
import { ResponseState, DEFER_AFTER, type FirstAnswer } from './response'
import type { InteractionCalls } from './calls'
import type { Reply } from './interaction-types'
import { InteractionError } from './error'
import { InteractionMethods } from './interaction-methods'
import { asInteractionError, type Report } from './report'
import { toChoices } from './autocomplete'

/** Suggestions cannot be deferred, so they get a little longer. */
const AUTOCOMPLETE_TIMEOUT = 2_500

/** What the player reads when something went wrong. */
export type ErrorMessage = (error: InteractionError, locale: string | undefined) => string

export interface RunContext {
  readonly calls: InteractionCalls | undefined
  readonly clock: Clock
  readonly report: Report
  readonly errorMessage: ErrorMessage
}

/** One interaction, and when it came. */
export interface ReceivedInteraction<I extends PlayerInteraction = PlayerInteraction> {
  readonly interaction: I
  /** Epoch ms. */
  readonly since: number
}

/** The first answer, and the end of all that the handler does. Neither ever rejects. */
export interface HandlerOutcome {
  readonly first: Promise<FirstAnswer>
  readonly done: Promise<unknown>
}

/** Runs a handler that answers. */
export function runHandler(
  arrival: ReceivedInteraction,
  serving: RunContext,
  work: (methods: InteractionMethods) => unknown,
): HandlerOutcome {
  let done: Promise<void> | undefined
  const first = new Promise<FirstAnswer>((resolve) => {
    const attendance = new HandlerRun(arrival, serving, resolve)
    done = attendance.run(work)
    attendance.watch()
  })
  return { first, done: done ?? first }
}

/** One interaction until its handler has come to an end. */
class HandlerRun {
  readonly #arrival: ReceivedInteraction
  readonly #serving: RunContext
  readonly #answer: ResponseState
  readonly #reported = new Set<unknown>()
  #cancel: (() => void) | undefined

  constructor(arrival: ReceivedInteraction, serving: RunContext, first: (answer: FirstAnswer) => void) {
    const { clock, calls } = serving
    this.#arrival = arrival
    this.#serving = serving
    this.#answer = new ResponseState(arrival.interaction, { clock, calls, since: arrival.since }, (given) => {
      this.#cancel?.()
      first(given)
    })
  }

  async run(work: (methods: InteractionMethods) => unknown): Promise<void> {
    const methods = new InteractionMethods(this.#answer, (error) => this.#report(error))
    try {
      const result = work(methods)
      const reply = isThenable(result) ? await result : result
      if (isReply(reply)) await this.#answer.reply(reply)
      await InteractionMethods.idle(methods)
      if (this.#answer.isPending) throw new InteractionError('no_answer', subjectOf(this.#arrival.interaction))
    } catch (error) {
      await InteractionMethods.idle(methods)
      await this.#sendErrorMessage(error)
    }
  }

  /** From here on the time runs. Most handlers have answered by now, and need no timer. */
  watch(): void {
    if (!this.#answer.isSilent) return
    const { clock, calls } = this.#serving
    this.#cancel = clock.after(Math.max(0, this.#arrival.since + DEFER_AFTER - clock.now()), () => {
      if (calls) this.#answer.expire()
      else void this.#sendErrorMessage(new InteractionError('too_slow', 'without `service` nothing can be deferred'))
    })
  }

  async #sendErrorMessage(error: unknown): Promise<void> {
    const content = textOf(this.#report(error), this.#serving, this.#arrival.interaction.locale)
    try {
      if (this.#answer.replies) await this.#answer.reply({ content, ephemeral: true })
    } catch (failure) {
      this.#report(failure)
    }
  }

  /** Once: an answer's failure is told at once, and most handlers let it through. */
  #report(error: unknown): InteractionError {
    const typed = asInteractionError(error, subjectOf(this.#arrival.interaction))
    if (!this.#reported.has(error)) this.#serving.report(typed, this.#arrival.interaction)
    this.#reported.add(error)
    return typed
  }
}

/** Runs a handler that suggests values. */
export function runAutocomplete(
  arrival: ReceivedInteraction<ApplicationCommandAutocompleteInteraction>,
  serving: RunContext,
  work: () => unknown,
): HandlerOutcome {
  const { interaction, since } = arrival
  const { clock, report } = serving
  const fail = (error: InteractionError): string => {
    report(error, interaction)
    return choicesJson([])
  }
  const first = new Promise<string>((resolve) => {
    const cancel = clock.after(Math.max(0, since + AUTOCOMPLETE_TIMEOUT - clock.now()), () =>
      resolve(fail(new InteractionError('too_slow', subjectOf(interaction)))),
    )
    const run = async (): Promise<void> => {
      let json: string
      try {
        json = choicesJson(await work())
      } catch (error) {
        json = fail(asInteractionError(error, subjectOf(interaction)))
      }
      cancel()
      resolve(json)
    }
    void run()
  })
  return { first, done: first }
}

function choicesJson(suggestions: unknown): string {
  return JSON.stringify({ type: 8, data: { choices: toChoices(suggestions) } } satisfies InteractionResponse)
}

/** What answers at once must not cost a turn. */
const isThenable = (result: unknown): boolean => isRecord(result) && typeof result['then'] === 'function'

/** A handler may also end with the message that `followUp` or `editReply` gave it, or with the instance that it launched. */
const isReply = (result: unknown): result is Reply | string =>
  typeof result === 'string' || (isRecord(result) && !('id' in result) && !('instanceId' in result))

function subjectOf({ data }: PlayerInteraction): string {
  return 'name' in data ? data.name : data.custom_id
}

function textOf(error: InteractionError, { errorMessage }: RunContext, locale: string | undefined): string {
  try {
    return errorMessage(error, locale)
  } catch {
    return defaultErrorMessage(error)
  }
}

/** Tells nothing of the inside. */
export function defaultErrorMessage({ code }: InteractionError): string {
  return code.startsWith('unknown_') ? 'This command is not available.' : 'Something went wrong. Please try again.'
}
