/** State machine of the responses to one interaction: the first one is the HTTP response, later ones are calls to the service. */
import type { Clock } from '../foundation/clock'
import { ApiError } from '../foundation/errors'
import { encodeBody, type EncodedBody, type FilePart } from '../messages/encode-body'
import { type PreparedMessage, prepareMessage, requireValid } from '../messages/prepare-message'
import { validateModal } from '../messages/validate-modal'
import { EPHEMERAL } from '../messages/validate-message'
import type { Message, PlayerInteraction } from '../wire/interaction-request'
import type { InteractionResponse, ModalBody } from '../wire/interaction-response'
import { callbackCall, followUpCall, type InteractionCall, type InteractionCalls, originalCall } from './callback-and-followup-requests'
import type { ActivityInstance, Reply } from './interaction-types'
import { InteractionError } from './interaction-error'
import { instanceId, requireMessage } from './convert-reply-and-read-message'

/** Time in ms until automatic deferral. The service waits 3,000 ms, including network latency. */
export const DEFER_AFTER = 2_000
const RESPONSE_DEADLINE = 2_800
/** Lifetime of an interaction token in ms. */
const TOKEN_LIFETIME = 15 * 60_000
/** Delays in ms for retries after a 404: a later call may reach the service before the first response. */
const RETRY_DELAYS = [200, 400, 800] as const

/** Body of the first response; undefined if it was sent as a separate call. */
export type FirstResponse = EncodedBody | undefined

export interface ResponseContext {
  readonly clock: Clock
  readonly calls: InteractionCalls | undefined
  /** Time of the request in epoch ms. */
  readonly since: number
}

/**
 * `open`: no response yet. `calling`: the first response is a call in progress. `deferred`, `completed`: deferred, before and after its
 * completion.
 */
type State = 'open' | 'calling' | 'deferred' | 'deferred_update' | 'completed' | 'replied'

export class ResponseState {
  readonly #interaction: PlayerInteraction
  readonly #context: ResponseContext
  readonly #first: (response: FirstResponse) => void
  #state: State = 'open'
  #late = false

  constructor(interaction: PlayerInteraction, context: ResponseContext, first: (response: FirstResponse) => void) {
    this.#interaction = interaction
    this.#context = context
    this.#first = first
  }

  /** True before the first response. */
  get isUnanswered(): boolean {
    return this.#state === 'open' || this.#state === 'calling'
  }

  /** True while the user still waits for a response. */
  get isPending(): boolean {
    return this.#state === 'open' || this.#state === 'deferred'
  }

  /** True if `reply` can still show a message. */
  get replies(): boolean {
    return this.isPending || this.#state === 'deferred_update'
  }

  /** Defers if there is no response yet; called shortly before the deadline. A call that fails later is deferred at once. */
  expire(): void {
    this.#late = true
    if (this.#state === 'open') this.defer({ isSilent: this.#interaction.type === 3 })
  }

  async reply(reply: Reply | string): Promise<void> {
    if (this.#state === 'open') return this.#respondWith(4, this.#prepare(reply, 'create'))
    if (this.#state === 'deferred') await this.#replyDeferred(reply)
    else if (this.#state === 'deferred_update') await this.followUp(reply)
    else throw this.#tooLate('reply')
  }

  /** Completed from the moment of sending, so that a second reply does not overwrite it; reverted if sending fails. */
  async #replyDeferred(reply: Reply | string): Promise<void> {
    this.#state = 'completed'
    try {
      await this.#edit(this.#prepare(reply, 'create'))
    } catch (error) {
      this.#state = 'deferred'
      throw error
    }
  }

  async update(reply: Reply | string): Promise<void> {
    if (this.#state === 'open') return this.#respondWith(7, this.#prepare(reply, 'edit'))
    if (this.#state !== 'deferred_update') throw this.#tooLate('update')
    await this.edit(reply)
  }

  /** `isSilent`: defers without a loading state; the component's message stays unchanged. */
  defer({ ephemeral, isSilent }: { ephemeral?: boolean | undefined; isSilent?: boolean } = {}): void {
    if (this.#state !== 'open') throw this.#tooLate('defer')
    if (isSilent) this.#respond({ type: 6 }, { state: 'deferred_update' })
    else this.#respond({ type: 5, ...(ephemeral && { data: { flags: EPHEMERAL } }) }, { state: 'deferred' })
  }

  /** Sends a response of a kind that must come first. */
  only(response: InteractionResponse, name: string): void {
    if (this.#state !== 'open') throw this.#tooLate(name)
    this.#respond(response)
  }

  /** @throws ValidationError `invalid_body`. */
  showModal(modal: ModalBody): void {
    if (this.#state !== 'open') throw this.#tooLate('showModal')
    requireValid(validateModal(modal))
    this.#respond({ type: 9, data: modal })
  }

  async launch(): Promise<ActivityInstance> {
    if (this.#state !== 'open') throw this.#tooLate('launchActivity')
    const { clock, since } = this.#context
    this.#state = 'calling'
    try {
      const timeout = Math.max(1, RESPONSE_DEADLINE - (clock.now() - since))
      const call = { ...callbackCall(this.#interaction, { type: 12 }, { query: '?with_response=true' }), timeout }
      const body = await this.#calls('launchActivity').send(call)
      this.#state = 'replied'
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
    const call = followUpCall(this.#interaction, this.#prepare(reply, 'create'))
    const message = await this.#send(call)
    this.#completeDeferred()
    return requireMessage(message, call.route)
  }

  async edit(reply: Reply | string): Promise<Message> {
    return this.#edit(this.#prepare(reply, 'edit'))
  }

  async #edit(prepared: PreparedMessage): Promise<Message> {
    const message = await this.#original('PATCH', prepared)
    this.#completeDeferred()
    return requireMessage(message, 'PATCH /webhooks/{application.id}/{interaction.token}/messages/@original')
  }

  async delete(): Promise<void> {
    await this.#original('DELETE')
    this.#completeDeferred()
  }

  #original(method: 'PATCH' | 'DELETE', message?: PreparedMessage): Promise<unknown> {
    if (this.#state === 'open') throw this.#tooLate(method === 'PATCH' ? 'editReply' : 'deleteReply')
    return this.#send(originalCall(this.#interaction, method, message))
  }

  async #send(call: InteractionCall): Promise<unknown> {
    const { clock, since } = this.#context
    const calls = this.#calls(call.route)
    for (const delay of RETRY_DELAYS) {
      if (clock.now() - since >= TOKEN_LIFETIME) throw new InteractionError('token_expired', call.route)
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

  /** Serializes before the state changes, because an exception must not count as a response. */
  #respond(response: InteractionResponse, { state = 'replied', files = [] }: { state?: State; files?: readonly FilePart[] } = {}): void {
    const body = encodeBody(response, files)
    this.#state = state
    this.#first(body)
  }

  #respondWith(type: 4 | 7, { data, files }: PreparedMessage): void {
    this.#respond({ type, data }, { files })
  }

  /** @throws ValidationError `invalid_body`. */
  #prepare(reply: Reply | string, operation: 'create' | 'edit'): PreparedMessage {
    return prepareMessage(reply, { operation, attachmentSizeLimit: this.#interaction.attachment_size_limit })
  }

  #completeDeferred(): void {
    if (this.#is('deferred')) this.#state = 'completed'
  }

  /** A method, because TypeScript narrows the field although it may change during an await. */
  #is(state: State): boolean {
    return this.#state === state
  }

  #tooLate(name: string): InteractionError {
    return this.#state === 'open'
      ? new InteractionError('no_answer', `${name} before the first answer`)
      : new InteractionError('already_answered', name)
  }
}
