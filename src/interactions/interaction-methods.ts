/** The interaction that a handler holds: its facts by name, and its answers. */
import type { InteractionMember, Message, PlayerInteraction, User } from '../wire/interaction'
import type { ModalBody } from '../wire/interaction-response'
import type { ResponseState } from './response'
import type { ActivityInstance, Reply } from './interaction-types'
import { InteractionError } from './error'

/** What every kind of interaction tells. */
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

/** @throws InteractionError `malformed_interaction` where nobody did it. */
export function commonFields<Raw extends PlayerInteraction>(raw: Raw): CommonFields<Raw> {
  const { id, application_id: applicationId, member, guild_id: guildId, channel_id: channelId, locale } = raw
  const user = member?.user ?? raw.user
  if (!user) throw new InteractionError('malformed_interaction', 'user')
  return { id, applicationId, user, member, guildId, channelId, locale, raw }
}

/** The answers, as methods. A handler need not wait for them: they are waited for, and what fails is told. */
export class InteractionMethods {
  readonly #answer: ResponseState
  readonly #failed: (error: unknown) => void
  readonly #pending = new Set<Promise<unknown>>()

  /** `failed` is called for every answer that fails, whether or not the handler waits for it. */
  constructor(answer: ResponseState, failed: (error: unknown) => void) {
    this.#answer = answer
    this.#failed = failed
  }

  reply(reply: Reply | string): Promise<void> {
    return this.#track(this.#answer.reply(reply))
  }

  update(reply: Reply | string): Promise<void> {
    return this.#track(this.#answer.update(reply))
  }

  defer(options?: { ephemeral?: boolean }): Promise<void> {
    const { ephemeral } = { ...options }
    return this.#track(settle(() => this.#answer.defer({ ephemeral })))
  }

  followUp(reply: Reply | string): Promise<Message> {
    return this.#track(this.#answer.followUp(reply))
  }

  editReply(reply: Reply | string): Promise<Message> {
    return this.#track(this.#answer.edit(reply))
  }

  deleteReply(): Promise<void> {
    return this.#track(this.#answer.delete())
  }

  showModal(modal: ModalBody): Promise<void> {
    return this.#track(settle(() => this.#answer.only({ type: 9, data: modal }, 'showModal')))
  }

  launchActivity(options?: { withResponse?: false }): Promise<void>
  launchActivity(options: { withResponse: true }): Promise<ActivityInstance>
  launchActivity(options?: { withResponse?: boolean }): Promise<ActivityInstance | void> {
    if (options?.withResponse) return this.#track(this.#answer.launch())
    return this.#track(settle(() => this.#answer.only({ type: 12 }, 'launchActivity')))
  }

  /** Waits for answers that the handler left alone. */
  static async idle(methods: InteractionMethods): Promise<void> {
    while (methods.#pending.size > 0) await Promise.allSettled(methods.#pending)
  }

  #track<T>(answer: Promise<T>): Promise<T> {
    this.#pending.add(answer)
    void answer.catch(this.#failed).finally(() => this.#pending.delete(answer))
    return answer
  }
}

/** What happens at once, with its errors as rejections. */
async function settle(act: () => void): Promise<void> {
  act()
}
