/** What an application answers to an interaction, and what the service tells of the answer (supplement A.5.3). Types only. */
import type { Snowflake } from '../foundation/ids'
import type { Localizations } from './command'
import type { InteractionType, Message } from './interaction'

export interface MessageData {
  /** At most 2000 characters. */
  content?: string
  tts?: boolean
  /** At most 10. */
  embeds?: readonly unknown[]
  allowed_mentions?: Readonly<Record<string, unknown>>
  /** A bit set: SUPPRESS_EMBEDS 4, EPHEMERAL 64, SUPPRESS_NOTIFICATIONS 4096, IS_VOICE_MESSAGE 8192, IS_COMPONENTS_V2 32768. */
  flags?: number
  components?: readonly unknown[]
  attachments?: readonly unknown[]
  poll?: Readonly<Record<string, unknown>>
}

export interface AutocompleteChoice<Value extends string | number = string | number> {
  name: string
  name_localizations?: Localizations | null
  value: Value
}

export interface ModalBody {
  /** 1 to 100 characters. */
  custom_id: string
  /** At most 45 characters. */
  title: string
  components: readonly unknown[]
}

/**
 * 1 PONG, 4 CHANNEL_MESSAGE_WITH_SOURCE, 5 DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE, 6 DEFERRED_UPDATE_MESSAGE, 7 UPDATE_MESSAGE,
 * 8 APPLICATION_COMMAND_AUTOCOMPLETE_RESULT, 9 MODAL, 12 LAUNCH_ACTIVITY.
 */
export type InteractionResponse =
  | { type: 1 }
  | { type: 4; data: MessageData }
  | { type: 5; data?: { flags?: number } }
  | { type: 6 }
  | { type: 7; data?: MessageData }
  | { type: 8; data: { choices: readonly AutocompleteChoice[] } }
  | { type: 9; data: ModalBody }
  | { type: 12 }

/** The answer to a callback that was sent with `with_response=true`. */
export interface CallbackResponse {
  interaction: {
    id: Snowflake
    type: InteractionType
    activity_instance_id?: string
    response_message_id?: Snowflake
    response_message_loading?: boolean
    response_message_ephemeral?: boolean
    channel_id?: Snowflake
    guild_id?: Snowflake
  }
  resource?: {
    type: number
    /** Of type 12. */
    activity_instance?: { id: string }
    /** Of types 4 and 7. */
    message?: Message
  }
}
