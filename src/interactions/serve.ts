/** Sees to it that an interaction is answered, in time, whatever its handler does. */
import type { Clock } from '../foundation/clock'
import { isRecord } from '../foundation/encoding'
import type { ApplicationCommandAutocompleteInteraction, PlayerInteraction } from '../wire/interaction'
import type { InteractionResponse } from '../wire/interaction-response'
import { Answer, DEFER_AFTER, type FirstAnswer } from './answer'
import type { InteractionCalls } from './calls'
import type { Reply } from './context'
import { InteractionError } from './error'
import { Answers } from './live'
import { asInteractionError, type Report } from './report'
import { toChoices } from './suggest'

/** Suggestions cannot be deferred, so they get a little longer. */
const SUGGEST_WITHIN = 2_500

/** What the player reads when something went wrong. */
export type Apology = (error: InteractionError, locale: string | undefined) => string

export interface Serving {
  readonly calls: InteractionCalls | undefined
  readonly clock: Clock
  readonly report: Report
  readonly apology: Apology
}

/** One interaction, and when it came. */
export interface Arrival<I extends PlayerInteraction = PlayerInteraction> {
  readonly interaction: I
  /** Epoch ms. */
  readonly since: number
}

/** The first answer, and the end of all that the handler does. Neither ever rejects. */
export interface Dispatched {
  readonly first: Promise<FirstAnswer>
  readonly done: Promise<unknown>
}

/** Runs a handler that answers. */
export function serve({ interaction, since }: Arrival, serving: Serving, work: (answers: Answers) => unknown): Dispatched {
  const { clock, calls, report } = serving
  let resolve: (answer: FirstAnswer) => void
  const first = new Promise<FirstAnswer>((settle) => (resolve = settle))
  const answer = new Answer(interaction, { clock, calls, since }, (given) => {
    cancel()
    resolve(given)
  })
  const cancel = clock.after(Math.max(0, since + DEFER_AFTER - clock.now()), () => {
    if (calls) answer.expire()
    else void apologize(new InteractionError('too_slow', 'without `service` nothing can be deferred'))
  })
  const apologize = async (error: InteractionError): Promise<void> => {
    report(error, interaction)
    if (!answer.replies) return
    try {
      await answer.reply({ content: textOf(error, serving, interaction.locale), ephemeral: true })
    } catch (failure) {
      report(asInteractionError(failure, error.code), interaction)
    }
  }
  const answers = new Answers(answer)
  const run = async (): Promise<void> => {
    try {
      const result = await work(answers)
      if (isReply(result)) await answer.reply(result)
      await Answers.idle(answers)
      if (answer.owed) throw new InteractionError('no_answer', subjectOf(interaction))
    } catch (error) {
      await Answers.idle(answers).catch(() => undefined)
      await apologize(asInteractionError(error, subjectOf(interaction)))
    }
  }
  return { first, done: run() }
}

/** Runs a handler that suggests values. */
export function serveSuggestions(
  arrival: Arrival<ApplicationCommandAutocompleteInteraction>,
  serving: Serving,
  work: () => unknown,
): Dispatched {
  const { interaction, since } = arrival
  const { clock, report } = serving
  const fail = (error: InteractionError): string => {
    report(error, interaction)
    return choicesJson([])
  }
  const first = new Promise<string>((resolve) => {
    const cancel = clock.after(Math.max(0, since + SUGGEST_WITHIN - clock.now()), () =>
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

/** A handler may also end with the message that `followUp` or `editReply` gave it: that has an id, and was sent already. */
const isReply = (result: unknown): result is Reply | string => typeof result === 'string' || (isRecord(result) && !('id' in result))

export function subjectOf({ data }: PlayerInteraction): string {
  return 'name' in data ? data.name : data.custom_id
}

function textOf(error: InteractionError, { apology }: Serving, locale: string | undefined): string {
  try {
    return apology(error, locale)
  } catch {
    return defaultApology(error)
  }
}

/** Tells nothing of the inside. */
export function defaultApology({ code }: InteractionError): string {
  return code.startsWith('unknown_') ? 'This command is not available.' : 'Something went wrong. Please try again.'
}
