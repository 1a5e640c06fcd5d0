/** Applies a backend's response: creates, defers and edits messages, shows suggestions and modals, launches the Activity. */
import type { Instance } from '../activity/instances.js'
import { locationOf, type ActivityService } from '../activity/activity-service.js'
import { textOf } from '../../foundation/values.js'
import type { Player } from '../../state/seed/seed.js'
import type { VisibleChannel } from '../guilds/visible-channels.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { CALLBACK, EPHEMERAL, isChoice, type BackendResponse } from './backend-response.js'
import type { Outcome } from './interaction-controls.js'
import type { Attachments } from './attachments.js'
import { contentFrom, type SentMessage } from './sent-message.js'
import { LOADING, type Message, type Messages } from './messages.js'
import { botPayload, userPayload } from '../guilds/user-payload.js'
import type { InteractionMetadata, Pending } from './pending-interactions.js'

/** Modal that is open for a player. */
export interface OpenModal {
  customId: string
  player: Player
  location: VisibleChannel
  source: string | undefined
  /** The interaction that opened it. */
  trigger: InteractionMetadata
  components: unknown[]
}

interface Parts {
  context: EmulatorContext
  activity: ActivityService
  messages: Messages
  attachments: Attachments
  modals: Map<string, OpenModal>
}

const REPLY_TYPE = 20
const MENU_REPLY_TYPE = 23
const SERVICE_LINE = 7

export class ResponseApplier {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Applies the first response to an interaction. */
  apply(pending: Pending, response: BackendResponse): Outcome {
    const { type, data } = response
    if (type === CALLBACK.activity && !this.#parts.context.seed.application.activities)
      return this.fail(pending, 'type 12 needs an application with Activities')
    pending.state = 'answered'
    switch (type) {
      case CALLBACK.message:
        return { kind: 'message', message: this.#write(pending, response) }
      case CALLBACK.deferred:
        return {
          kind: 'deferred',
          message: this.#write(pending, {
            data: { flags: Number(data['flags'] ?? 0) | LOADING },
            files: new Map(),
          }),
        }
      case CALLBACK.deferredUpdate:
        pending.original = pending.source
        return { kind: 'updated' }
      case CALLBACK.update:
        return this.#update(pending, response)
      case CALLBACK.choices:
        return {
          kind: 'choices',
          choices: listOf(data['choices']).filter((item) => isChoice(item, pending.typed)),
        }
      case CALLBACK.modal:
        return this.#showModal(pending, data)
      default:
        return { kind: 'activity', activity: this.launch(pending.player, pending.location) }
    }
  }

  fail(pending: Pending, because: string): Outcome {
    pending.state = 'failed'
    return { kind: 'failed', because }
  }

  /** A follow-up right after a deferral fills the placeholder, and is visible to those who see it. */
  followUp(pending: Pending, sent: SentMessage): Message {
    const original = pending.original === undefined ? undefined : this.#parts.messages.find(pending.original)
    const filled = original !== undefined && (original.flags & LOADING) !== 0 && this.edit(original, sent)
    if (filled) return filled
    pending.followUps += 1
    return this.#write(pending, sent, { asOriginal: false })
  }

  /** Launches the Activity for the player in this channel, and posts a message about it. */
  launch(player: Player, location: VisibleChannel): NonNullable<Outcome['activity']> {
    const { context, activity, messages } = this.#parts
    const instance: Instance = activity.host.instances.launch(locationOf(location), player.id)
    const content = `${player.globalName ?? player.username} launched ${context.seed.application.name}`
    const more = { activity_instance_id: instance.id }
    messages.add(
      { content },
      { channelId: location.id, author: userPayload(player), type: SERVICE_LINE, more },
    )
    return {
      instanceId: instance.id,
      url: activity.url === undefined ? undefined : activity.pageOf(instance.id, [player]),
    }
  }

  #write(pending: Pending, sent: SentMessage, { asOriginal } = { asOriginal: true }): Message {
    const { context, messages, attachments } = this.#parts
    const { player, location, metadata, command } = pending
    const flags = Number(sent.data['flags'] ?? 0)
    const content = contentFrom(sent, { attachments, channelId: location.id, now: context.clock.now() })
    const message = messages.add(
      { ...content, flags },
      {
        channelId: location.id,
        author: botPayload(context),
        type: command !== undefined && command.type > 1 ? MENU_REPLY_TYPE : REPLY_TYPE,
        onlyFor: (flags & EPHEMERAL) === 0 ? undefined : player.id,
        more: {
          application_id: context.seed.application.id,
          interaction_metadata: metadata,
        },
      },
    )
    if (asOriginal) pending.original = message.id
    return message
  }

  /** Edits a message. */
  edit(before: Message, sent: SentMessage): Message | undefined {
    const { context, messages, attachments } = this.#parts
    return messages.edit(
      before.id,
      contentFrom(sent, { attachments, channelId: before.channel_id, now: context.clock.now(), before }),
    )
  }

  #update(pending: Pending, sent: SentMessage): Outcome {
    const before = pending.source === undefined ? undefined : this.#parts.messages.find(pending.source)
    const message = before && this.edit(before, sent)
    if (message === undefined) return this.fail(pending, 'the message that holds the component is gone')
    pending.original = message.id
    return { kind: 'updated', message }
  }

  #showModal(
    { id, player, location, source, metadata: trigger }: Pending,
    data: Record<string, unknown>,
  ): Outcome {
    const [customId, title] = [textOf(data['custom_id']) ?? '', textOf(data['title']) ?? '']
    const components = listOf(data['components'])
    this.#parts.modals.set(id, { customId, player, location, source, trigger, components })
    return { kind: 'modal', modal: { id, custom_id: customId, title, components } }
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
