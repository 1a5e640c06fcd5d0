/** The answers to one interaction: the first goes back with the request, the later ones are calls of the service. */
import type { Clock } from '../foundation/clock'
import { ApiError } from '../foundation/errors'
import type { Message, PlayerInteraction } from '../wire/interaction'
import type { InteractionResponse, MessageData } from '../wire/interaction-response'
import { callbackCall, followUpCall, type InteractionCall, type InteractionCalls, originalCall } from './calls'
import type { ActivityInstance, Reply } from './interaction-types'
import { InteractionError } from './error'
import { EPHEMERAL, instanceId, messageData, requireMessage } from './payloads'

/** The service waits 3 seconds, and the answer is on its way for some of them. */
export const DEFER_AFTER = 2_000
const LAST_MOMENT = 2_800
/** How long an interaction's token lives. */
const LIFE = 15 * 60_000
/** A later answer can overtake the first one on the way, and then the service does not know the interaction yet. */
const RETRY_DELAYS = [200, 400, 800] as const

/** What goes back with the request, as JSON; undefined when the answer was sent by a call. */
export type FirstAnswer = string | undefined

export interface AnswerContext {
  readonly clock: Clock
  readonly calls: InteractionCalls | undefined
  /** Epoch ms when the request came. */
  readonly since: number
}

/** `open`: no answer yet. `calling`: the first answer is a call under way. `promised`, `kept`: deferred, and whether the promise was kept. */
type State = 'open' | 'calling' | 'promised' | 'promised_update' | 'kept' | 'answered'

export class ResponseState {
  readonly #interaction: PlayerInteraction
  readonly #context: AnswerContext
  readonly #first: (answer: FirstAnswer) => void
  #state: State = 'open'
  #late = false

  constructor(interaction: PlayerInteraction, context: AnswerContext, first: (answer: FirstAnswer) => void) {
    this.#interaction = interaction
    this.#context = context
    this.#first = first
  }

  /** Whether there is no first answer yet. */
  get isSilent(): boolean {
    return this.#state === 'open' || this.#state === 'calling'
  }

  /** Whether the player is still owed an answer. */
  get isPending(): boolean {
    return this.#state === 'open' || this.#state === 'promised'
  }

  /** Whether `reply` can still show something. */
  get replies(): boolean {
    return this.isPending || this.#state === 'promised_update'
  }

  /** The last moment for a first answer has come. What fails after it is deferred at once. */
  expire(): void {
    this.#late = true
    if (this.#state === 'open') this.defer({ isSilent: this.#interaction.type === 3 })
  }

  async reply(reply: Reply | string): Promise<void> {
    if (this.#state === 'open') return this.#answer({ type: 4, data: messageData(reply) })
    if (this.#state === 'promised') await this.#fulfil(reply)
    else if (this.#state === 'promised_update') await this.followUp(reply)
    else throw this.#tooLate('reply')
  }

  /** Kept from the moment it is sent, so that a second reply does not overwrite it; owed again when it could not be sent. */
  async #fulfil(reply: Reply | string): Promise<void> {
    this.#state = 'kept'
    try {
      await this.edit(reply)
    } catch (error) {
      this.#state = 'promised'
      throw error
    }
  }

  async update(reply: Reply | string): Promise<void> {
    if (this.#state === 'open') return this.#answer({ type: 7, data: messageData(reply) })
    if (this.#state !== 'promised_update') throw this.#tooLate('update')
    await this.edit(reply)
  }

  /** `silent`: a component keeps its message as it is. */
  defer({ ephemeral, isSilent }: { ephemeral?: boolean | undefined; isSilent?: boolean } = {}): void {
    if (this.#state !== 'open') throw this.#tooLate('defer')
    if (isSilent) this.#answer({ type: 6 }, 'promised_update')
    else this.#answer({ type: 5, ...(ephemeral && { data: { flags: EPHEMERAL } }) }, 'promised')
  }

  /** Of the kinds that nothing can come before. */
  only(response: InteractionResponse, name: string): void {
    if (this.#state !== 'open') throw this.#tooLate(name)
    this.#answer(response)
  }

  async launch(): Promise<ActivityInstance> {
    if (this.#state !== 'open') throw this.#tooLate('launchActivity')
    const { clock, since } = this.#context
    this.#state = 'calling'
    try {
      const timeout = Math.max(1, LAST_MOMENT - (clock.now() - since))
      const call = { ...callbackCall(this.#interaction, { type: 12 }, '?with_response=true'), timeout }
      const body = await this.#calls('launchActivity').send(call)
      this.#state = 'answered'
      this.#first(undefined)
      return { instanceId: instanceId(body) }
    } catch (error) {
      if (this.#is('calling')) {
        this.#state = 'open'
        if (this.#late) this.expire()
      }
      throw error
    }
  }

  async followUp(reply: Reply | string): Promise<Message> {
    if (this.#state === 'open') throw this.#tooLate('followUp')
    const call = followUpCall(this.#interaction, messageData(reply))
    const message = await this.#send(call)
    this.#keep()
    return requireMessage(message, call.route)
  }

  async edit(reply: Reply | string): Promise<Message> {
    const message = await this.#original('PATCH', messageData(reply))
    this.#keep()
    return requireMessage(message, 'PATCH /webhooks/{application.id}/{interaction.token}/messages/@original')
  }

  async delete(): Promise<void> {
    await this.#original('DELETE')
    this.#keep()
  }

  #original(method: 'PATCH' | 'DELETE', body?: MessageData): Promise<unknown> {
    if (this.#state === 'open') throw this.#tooLate(method === 'PATCH' ? 'editReply' : 'deleteReply')
    return this.#send(originalCall(this.#interaction, method, body))
  }

  async #send(call: InteractionCall): Promise<unknown> {
    const { clock, since } = this.#context
    const calls = this.#calls(call.route)
    for (const delay of RETRY_DELAYS) {
      if (clock.now() - since >= LIFE) throw new InteractionError('token_expired', call.route)
      try {
        return await calls.send(call)
      } catch (error) {
        const overtaken = error instanceof ApiError && error.status === 404 && clock.now() - since < 3_000 + delay
        if (!overtaken) throw error
      }
      await new Promise<void>((resolve) => void clock.after(delay, resolve))
    }
    return calls.send(call)
  }

  #calls(subject: string): InteractionCalls {
    const { calls } = this.#context
    if (!calls) throw new InteractionError('service_missing', subject)
    return calls
  }

  /** Written out before anything changes: what cannot be written must not count as an answer. */
  #answer(answer: InteractionResponse, state: State = 'answered'): void {
    const json = JSON.stringify(answer)
    this.#state = state
    this.#first(json)
  }

  #keep(): void {
    if (this.#is('promised')) this.#state = 'kept'
  }

  /** Asked anew: the state may have changed while something was awaited. */
  #is(state: State): boolean {
    return this.#state === state
  }

  #tooLate(name: string): InteractionError {
    return this.#state === 'open'
      ? new InteractionError('no_answer', `${name} before the first answer`)
      : new InteractionError('already_answered', name)
  }
}
