/** Response methods without a handler: for interactions that arrived at another endpoint or process. */
import { prepareMessage } from '../messages/prepare-message'
import { withBlobsRead } from '../messages/with-blobs-read'
import type { Message } from '../../shared/wire/interaction-request'
import {
  type Addressed,
  callbackCall,
  followUpCall,
  type InteractionCall,
  type InteractionCalls,
  messageCall,
} from './interaction-calls'
import type { ActivityInstance, Reply } from './interaction-types'
import { instanceId, requireMessage } from './require-message'
import { messageResponse, responseBody } from './response-body'
import { deferralData, deferredVisibility } from './visibility'

/**
 * Responds to interactions by calls to the service. The first response (`reply`, `defer`, `launchActivity`) must arrive within 3 seconds,
 * later ones within 15 minutes. Uses only the interaction's own token, and counts for no rate limit. Passing faults are retried, as long as
 * no message can appear twice.
 *
 * Every method rejects with ApiError (404: expired or unknown interaction; 400: already responded), NetworkError or ProtocolError, and with
 * ValidationError `invalid_body` before anything is sent.
 */
export class InteractionReplies {
  readonly #calls: InteractionCalls

  constructor(calls: InteractionCalls) {
    this.#calls = calls
  }

  /** Sends a message as the first response. */
  reply(interaction: Addressed, reply: Reply | string): Promise<void> {
    return withBlobsRead(reply, async (ready) => {
      const message = prepareMessage(ready)
      await this.#calls.send(callbackCall(interaction, messageResponse(4, message), message))
    })
  }

  /** Defers the response; `editReply` completes it. */
  async defer(interaction: Addressed, options?: { ephemeral?: boolean | undefined }): Promise<void> {
    const visibility = deferredVisibility(options) ?? 'public'
    await this.#calls.send(callbackCall(interaction, responseBody({ type: 5, ...deferralData(visibility) })))
  }

  /** Launches the Activity (callback type 12) and returns its instance. */
  async launchActivity(interaction: Addressed): Promise<ActivityInstance> {
    return {
      instanceId: instanceId(
        await this.#calls.send(
          callbackCall(interaction, responseBody({ type: 12 }), { query: '?with_response=true' }),
        ),
      ),
    }
  }

  /** Sends a further message. */
  followUp(interaction: Addressed, reply: Reply | string): Promise<Message> {
    return withBlobsRead(reply, async (ready) => this.#send(followUpCall(interaction, prepareMessage(ready))))
  }

  /** Edits the first response, or completes a deferred one. */
  editReply(interaction: Addressed, reply: Reply | string): Promise<Message> {
    return withBlobsRead(reply, async (ready) =>
      this.#send(
        messageCall(interaction, 'PATCH', { message: prepareMessage(ready, { operation: 'edit' }) }),
      ),
    )
  }

  /** Deletes the first response. */
  async deleteReply(interaction: Addressed): Promise<void> {
    await this.#calls.send(messageCall(interaction, 'DELETE'))
  }

  async #send(call: InteractionCall): Promise<Message> {
    return requireMessage(await this.#calls.send(call), call.route)
  }
}
