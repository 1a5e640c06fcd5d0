/** Answers to interactions by calls alone: for a backend that got them elsewhere than at this SDK's endpoint, or answers from another process. */
import type { Message } from '../wire/interaction'
import { type Addressed, callbackCall, followUpCall, type InteractionCalls, originalCall } from './calls'
import type { ActivityInstance, Reply } from './interaction-types'
import { EPHEMERAL, instanceId, messageData, requireMessage } from './payloads'

/**
 * The first answer (`reply`, `defer`, `launchActivity`) must arrive within 3 seconds, everything else within 15 minutes. No credential is
 * used but the interaction's own token, and no rate limit counts. Every method rejects with ApiError (404: too late, or no such
 * interaction; 400: answered already), NetworkError or ProtocolError.
 */
export class InteractionReplies {
  readonly #calls: InteractionCalls

  constructor(calls: InteractionCalls) {
    this.#calls = calls
  }

  /** The first answer, as a message. */
  async reply(interaction: Addressed, reply: Reply | string): Promise<void> {
    await this.#calls.send(callbackCall(interaction, { type: 4, data: messageData(reply) }))
  }

  /** Promises a reply, which `editReply` then gives. */
  async defer(interaction: Addressed, options?: { ephemeral?: boolean }): Promise<void> {
    const { ephemeral } = { ...options }
    await this.#calls.send(callbackCall(interaction, { type: 5, ...(ephemeral && { data: { flags: EPHEMERAL } }) }))
  }

  /** Brings up the Activity (callback type 12), and tells which instance it is. */
  async launchActivity(interaction: Addressed): Promise<ActivityInstance> {
    return { instanceId: instanceId(await this.#calls.send(callbackCall(interaction, { type: 12 }, '?with_response=true'))) }
  }

  /** One more message. */
  async followUp(interaction: Addressed, reply: Reply | string): Promise<Message> {
    const call = followUpCall(interaction, messageData(reply))
    return requireMessage(await this.#calls.send(call), call.route)
  }

  /** Changes the first reply, or fills in what was deferred. */
  async editReply(interaction: Addressed, reply: Reply | string): Promise<Message> {
    const call = originalCall(interaction, 'PATCH', messageData(reply))
    return requireMessage(await this.#calls.send(call), call.route)
  }

  /** Takes the first reply away. */
  async deleteReply(interaction: Addressed): Promise<void> {
    await this.#calls.send(originalCall(interaction, 'DELETE'))
  }
}
