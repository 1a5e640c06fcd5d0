/** State machine of the responses to one interaction: the first one is the HTTP response, later ones are calls to the service. */
import { ApiError } from '../../shared/foundation/errors'
import { EncodedBody, type FilePart } from '../messages/encode-body'
import { type PreparedMessage, prepareMessage } from '../messages/prepare-message'
import type { Message, PlayerInteraction } from '../../shared/wire/interaction-request'
import type { CheckedBody } from '../../shared/http/checked-body'
import { callbackCall, followUpCall, type InteractionCall, messageCall } from './interaction-calls'
import { instanceId, isLoading, messageId, requireMessage } from './require-message'
import type { ActivityInstance, Reply } from './interaction-types'
import { messageResponse, responseBody } from './response-body'
import { LaterCalls, type LaterCallsContext, mayBeApplied } from './later-calls'
import {
  deferralData,
  isOfMessage,
  requestedVisibility,
  type Visibility,
  visibilityOf,
  withVisibility,
} from './visibility'
import { alreadyAnswered, messageMissing, notAnswered, subjectOf, visibilityFixed } from './response-errors'

/** Body of the first response; undefined if it was sent as a separate call. */
export type FirstResponse = EncodedBody | undefined

/**
 * `open`: no response yet. `calling`: the first response is a call in progress. `deferred`: a placeholder waits for its text. `removed`: the
 * placeholder was deleted, and a message of another visibility follows. `deferred_update`: deferred without a placeholder.
 */
type State = 'open' | 'calling' | 'deferred' | 'removed' | 'deferred_update' | 'completed' | 'replied'

export class ResponseState {
  readonly #interaction: PlayerInteraction
  readonly #later: LaterCalls
  readonly #first: (response: FirstResponse) => void
  #state: State = 'open'
  #isLate = false
  /** True if a message was sent and its confirmation got lost. */
  #isUncertain = false
  /** Visibility of messages that ask for none, and of deferrals. */
  #declared: Visibility | undefined
  /** `private` after a call that asked for it was refused: no later message is public unless it asks for that. */
  #wish: 'private' | undefined
  /** Private messages whose files are being read. */
  #expected = 0
  /** Visibility of the reply, if it asks for none. */
  #replyDefault: Visibility | undefined
  /** Visibility of the message of the first response. */
  #shown: Visibility
  /** The message that edits change; undefined for the first response. */
  #replacement: string | undefined

  constructor(
    interaction: PlayerInteraction,
    context: LaterCallsContext,
    first: (response: FirstResponse) => void,
  ) {
    this.#interaction = interaction
    this.#later = new LaterCalls(context)
    this.#first = first
    this.#shown = visibilityOf('message' in interaction ? interaction.message?.flags : 0)
  }

  /** True before the first response. */
  get isUnanswered(): boolean {
    return this.#state === 'open' || this.#state === 'calling'
  }

  /** True while the user still waits for a response. */
  get isPending(): boolean {
    return this.#state === 'open' || this.#state === 'deferred' || this.#state === 'removed'
  }

  /** Sets the visibility of deferrals, and of messages that ask for none. */
  declare(visibility: Visibility | undefined): void {
    this.#declared = visibility
  }

  /** Defers if there is no response yet; called shortly before the deadline. A call that fails later is deferred at once. */
  expire(): void {
    this.#isLate = true
    if (this.#state !== 'open') return
    if (isOfMessage(this.#interaction)) this.#respond(responseBody({ type: 6 }), { state: 'deferred_update' })
    else this.#defer(this.#wish ?? this.#declared ?? 'private')
  }

  reply(reply: Reply | string): Promise<void> {
    return this.#attempt(reply, async () => {
      if (this.#state === 'open') this.#respondWith(4, this.#newMessage(reply))
      else await this.#later.run(() => this.#attempt(reply, () => this.#replyLater(reply)))
    })
  }

  update(reply: Reply | string): Promise<void> {
    return this.#attempt(reply, async () => {
      if (!isOfMessage(this.#interaction)) throw messageMissing(this.#subject, 'update')
      if (this.#state === 'open') this.#respondWith(7, this.#edited('update', reply))
      else await this.#later.run(() => this.#attempt(reply, () => this.#updateLater(reply)))
    })
  }

  async #updateLater(reply: Reply | string): Promise<void> {
    if (this.#state !== 'deferred_update') throw this.#tooLate('update')
    await this.#edit('update', reply)
  }

  /** Remembers that a reply which is refused was meant for the player alone. */
  async #attempt<T>(reply: Reply | string, act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      this.refused(requestedVisibility(reply))
      throw error
    }
  }

  /** A call with this visibility was refused, here or before it came here. */
  refused(visibility: Visibility | undefined): void {
    if (visibility === 'private') this.#wish = visibility
  }

  /** A call with this visibility has begun, and waits for its files. Call the result when it has them. */
  expect(visibility: Visibility | undefined): () => void {
    if (visibility !== 'private') return () => undefined
    this.#expected += 1
    return () => (this.#expected -= 1)
  }

  /** `visibility`: that of the placeholder, and of a reply that asks for none. */
  defer(visibility: Visibility | undefined): void {
    if (this.#state !== 'open') {
      this.refused(visibility)
      throw this.#tooLate('defer')
    }
    this.#replyDefault = visibility
    this.#defer(this.#replyDefault ?? this.#defaultVisibility())
  }

  /** Sends a response of a kind that must come first. */
  only(name: string, create: () => CheckedBody): void {
    if (this.#state !== 'open') throw this.#tooLate(name)
    this.#respond(create())
  }

  async launch(): Promise<ActivityInstance> {
    if (this.#state !== 'open') throw this.#tooLate('launchActivity')
    this.#state = 'calling'
    return this.#later.run(async () => {
      try {
        const body = await this.#later.sendFirst(
          callbackCall(this.#interaction, responseBody({ type: 12 }), { query: '?with_response=true' }),
        )
        const instance = { instanceId: instanceId(body) }
        this.#state = 'replied'
        this.#first(undefined)
        return instance
      } catch (error) {
        this.#state = 'open'
        if (this.#isLate) this.expire()
        throw error
      }
    })
  }

  followUp(reply: Reply | string): Promise<Message> {
    return this.#afterFirst('followUp', reply, () =>
      this.#waitsForText ? this.#complete(reply) : this.#post(reply),
    )
  }

  edit(reply: Reply | string): Promise<Message> {
    return this.#afterFirst('editReply', reply, () =>
      this.#waitsForText ? this.#complete(reply) : this.#edit('editReply', reply),
    )
  }

  delete(): Promise<void> {
    return this.#afterFirst('deleteReply', '', async () => {
      await this.#later.send(messageCall(this.#interaction, 'DELETE', { id: this.#replacement }))
      if (!this.#waitsForText) return
      this.#state = 'completed'
      // Of the text that was still to come.
      this.refused(this.#replyDefault)
    })
  }

  /** Shows an error message to the player alone, unless there is an answer, or there may be one whose confirmation got lost. */
  async fail(content: string): Promise<void> {
    if (this.#isUncertain && !(await this.#isStillLoading())) return
    if (this.isPending || this.#state === 'deferred_update') await this.reply({ content, ephemeral: true })
  }

  async #isStillLoading(): Promise<boolean> {
    if (this.#state !== 'deferred') return false
    const original = await this.#later
      .run(() => this.#later.send(messageCall(this.#interaction, 'GET')))
      .catch(() => undefined)
    return isLoading(original)
  }

  /** One after another: which call fills the placeholder decides what becomes of the next one. */
  #afterFirst<T>(name: string, reply: Reply | string, act: () => Promise<T>): Promise<T> {
    const attempt = () =>
      this.#attempt(reply, () =>
        this.#state === 'open' ? Promise.reject(notAnswered(this.#subject, name)) : act(),
      )
    return this.#state === 'open' ? attempt() : this.#later.run(attempt)
  }

  /** Of a message that asks for none. */
  #defaultVisibility(): Visibility {
    return this.#wish ?? (this.#expected > 0 ? 'private' : (this.#declared ?? 'public'))
  }

  async #replyLater(reply: Reply | string): Promise<void> {
    if (this.#state === 'open') this.#respondWith(4, this.#newMessage(reply))
    else if (this.#waitsForText) await this.#complete(reply)
    else if (this.#state === 'deferred_update') await this.#post(reply)
    else throw this.#tooLate('reply')
  }

  get #waitsForText(): boolean {
    return this.#state === 'deferred' || this.#state === 'removed'
  }

  /**
   * Fills the placeholder. The visibility of an existing message cannot change, and a message that is sent while there is a placeholder
   * fills it and gets its visibility. So a placeholder that others see, or must see, is deleted first.
   */
  async #complete(reply: Reply | string): Promise<Message> {
    const wanted = requestedVisibility(reply) ?? this.#wish ?? this.#replyDefault ?? this.#defaultVisibility()
    const prepared = withVisibility(this.#prepare(reply, 'create'), wanted)
    if (this.#state === 'deferred' && wanted === this.#shown) return this.#fill(prepared)
    if (this.#state === 'deferred') await this.#removePlaceholder()
    const message = await this.#sendMessage(followUpCall(this.#interaction, prepared))
    this.#state = 'completed'
    this.#replacement = messageId(message)
    this.#shown = wanted
    return requireMessage(message, 'POST /webhooks/{application.id}/{interaction.token}')
  }

  /** A placeholder that is gone already, for example deleted by a moderator, does not keep the reply back. */
  async #removePlaceholder(): Promise<void> {
    try {
      await this.#later.send(messageCall(this.#interaction, 'DELETE'))
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error
    }
    this.#state = 'removed'
  }

  async #fill(prepared: PreparedMessage): Promise<Message> {
    const call = messageCall(this.#interaction, 'PATCH', { message: withVisibility(prepared, 'public') })
    const message = await this.#sendMessage(call)
    this.#state = 'completed'
    return requireMessage(message, call.route)
  }

  async #post(reply: Reply | string): Promise<Message> {
    const call = followUpCall(this.#interaction, this.#newMessage(reply))
    return requireMessage(await this.#sendMessage(call), call.route)
  }

  async #edit(name: string, reply: Reply | string): Promise<Message> {
    const call = messageCall(this.#interaction, 'PATCH', {
      id: this.#replacement,
      message: this.#edited(name, reply),
    })
    return requireMessage(await this.#sendMessage(call), call.route)
  }

  /** An edit has no flag of visibility: it cannot change. */
  #edited(name: string, reply: Reply | string): PreparedMessage {
    if ((requestedVisibility(reply) ?? this.#wish ?? this.#shown) !== this.#shown)
      throw visibilityFixed(this.#subject, name, this.#shown)
    return withVisibility(this.#prepare(reply, 'edit'), 'public')
  }

  #newMessage(reply: Reply | string): PreparedMessage {
    const visibility = requestedVisibility(reply) ?? this.#defaultVisibility()
    const prepared = withVisibility(this.#prepare(reply, 'create'), visibility)
    if (this.#state === 'open') this.#shown = visibility
    return prepared
  }

  #defer(visibility: Visibility): void {
    this.#shown = visibility
    this.#respond(responseBody({ type: 5, ...deferralData(visibility) }), { state: 'deferred' })
  }

  async #sendMessage(call: InteractionCall): Promise<unknown> {
    try {
      return await this.#later.send(call)
    } catch (error) {
      this.#isUncertain ||= mayBeApplied(error)
      throw error
    }
  }

  /** Serializes before the state changes, because an exception must not count as a response. */
  #respond(
    response: CheckedBody,
    { state = 'replied', files = [] }: { state?: State; files?: readonly FilePart[] } = {},
  ): void {
    const body = EncodedBody.of(response, files)
    this.#state = state
    this.#first(body)
  }

  #respondWith(type: 4 | 7, message: PreparedMessage): void {
    this.#respond(messageResponse(type, message), { files: message.files })
  }

  /** @throws ValidationError `invalid_body`. */
  #prepare(reply: Reply | string, operation: 'create' | 'edit'): PreparedMessage {
    return prepareMessage(reply, { operation, attachmentSizeLimit: this.#interaction.attachment_size_limit })
  }

  #tooLate(name: string): Error {
    return alreadyAnswered(name, { subject: this.#subject, isAutomatic: this.#isLate })
  }

  get #subject(): string {
    return subjectOf(this.#interaction)
  }
}
