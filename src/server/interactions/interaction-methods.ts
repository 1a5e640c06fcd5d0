/** Interaction object of a handler: common fields and response methods. */
import type {
  InteractionMember,
  Message,
  PlayerInteraction,
  User,
} from '../../shared/wire/interaction-request'
import type { ModalBody } from '../../shared/wire/interaction-response'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { withBlobsRead } from '../messages/with-blobs-read'
import { responseBody } from './response-body'
import { deferredVisibility, requestedVisibility } from './visibility'
import { noMessage } from './response-errors'
import type { ResponseState } from './response-state'
import type { ActivityInstance, Reply } from './interaction-types'
import { ConfigurationError } from '../../shared/foundation/errors'
import { InteractionError } from './interaction-error'

/** Fields common to all interactions. */
export interface CommonFields<Raw extends PlayerInteraction> {
  readonly id: string
  readonly applicationId: string
  readonly user: User
  readonly member: InteractionMember | undefined
  readonly guildId: string | undefined
  readonly channelId: string | undefined
  readonly locale: string | undefined
  readonly raw: Raw
}

/** @throws InteractionError `malformed_interaction` without a user. */
export function commonFields<Raw extends PlayerInteraction>(raw: Raw): CommonFields<Raw> {
  const { id, application_id: applicationId, member, guild_id: guildId, channel_id: channelId, locale } = raw
  const user = member?.user ?? raw.user
  if (!user) throw new InteractionError('malformed_interaction', 'user')
  return { id, applicationId, user, member, guildId, channelId, locale, raw }
}

/** Response methods. Handlers need not await them: pending ones are awaited, and failures are reported. */
export class InteractionMethods {
  readonly #response: ResponseState
  readonly #failed: (error: unknown) => void
  readonly #pending = new Set<Promise<unknown>>()

  /** `failed` is called for every failed response, awaited or not. */
  constructor(response: ResponseState, failed: (error: unknown) => void) {
    this.#response = response
    this.#failed = failed
  }

  reply(reply: Reply | string): Promise<void> {
    return this.#send('reply', reply, (ready) => this.#response.reply(ready))
  }

  update(reply: Reply | string): Promise<void> {
    return this.#send('update', reply, (ready) => this.#response.update(ready))
  }

  defer(options?: { ephemeral?: boolean }): Promise<void> {
    return this.#track(
      settle(() => {
        try {
          this.#response.defer(deferredVisibility(options))
        } catch (error) {
          // Options that cannot be read were given for privacy: without any, nobody has to be asked.
          if (error instanceof ConfigurationError) this.#response.refused('private')
          throw error
        }
      }),
    )
  }

  followUp(reply: Reply | string): Promise<Message> {
    return this.#send('followUp', reply, (ready) => this.#response.followUp(ready))
  }

  editReply(reply: Reply | string): Promise<Message> {
    return this.#send('editReply', reply, (ready) => this.#response.edit(ready))
  }

  deleteReply(): Promise<void> {
    return this.#track(this.#response.delete())
  }

  showModal(modal: ModalBody | { readonly definition: ModalBody }): Promise<void> {
    return this.#track(
      settle(() => this.#response.only('showModal', () => responseBody({ type: 9, data: bodyOf(modal) }))),
    )
  }

  launchActivity(options?: { withResponse?: false }): Promise<void>
  launchActivity(options: { withResponse: true }): Promise<ActivityInstance>
  launchActivity(options?: { withResponse?: boolean }): Promise<ActivityInstance | void> {
    if (options?.withResponse) return this.#track(this.#response.launch())
    return this.#track(settle(() => this.#response.only('launchActivity', () => responseBody({ type: 12 }))))
  }

  /** Waits for responses that the handler did not await. */
  static async idle(methods: InteractionMethods): Promise<void> {
    while (methods.#pending.size > 0) await Promise.allSettled(methods.#pending)
  }

  #send<T>(call: string, reply: Reply | string, send: (ready: Reply | string) => Promise<T>): Promise<T> {
    const isMessage = typeof reply === 'string' || isRecord(reply)
    if (!isMessage) return this.#track(Promise.reject(noMessage(call, reply)))
    const visibility = requestedVisibility(reply)
    // Until its files are read, texts overtake it.
    const begin = this.#response.expect(visibility)
    return this.#track(
      withBlobsRead(reply, (ready) => {
        begin()
        return send(ready)
      }).catch((error: unknown) => {
        this.#response.refused(visibility)
        throw error
      }),
    )
  }

  #track<T>(response: Promise<T>): Promise<T> {
    this.#pending.add(response)
    void response.catch(this.#failed).finally(() => this.#pending.delete(response))
    return response
  }
}

/** `defineModal` returns the modal with its handler. */
const bodyOf = (modal: ModalBody | { readonly definition: ModalBody }): ModalBody =>
  isRecord(modal) && 'definition' in modal ? modal.definition : modal

/** Converts synchronous exceptions to rejections. */
async function settle(act: () => void): Promise<void> {
  act()
}
