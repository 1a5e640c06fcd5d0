/** Responses of an application to an interaction, and the service's result for them (docs/interface/interactions.md#responses). Types only. */
import type { Snowflake } from '../foundation/ids'
import type { Localizations } from './command'
import type { InteractionType, Message } from './interaction-request'
import type { MessageComponent } from './message-components'
import type { AllowedMentions, AttachmentData, Embed, Poll } from './message-parts'
import type { ModalComponent } from './modal-components'

/** Content of a message. A new one has at least one of `content`, `embeds`, `components`, `attachments` and `poll`. An edit clears with null. */
export interface MessageData {
  /** At most 2,000 characters. */
  content?: string | null | undefined
  /** True has the message read aloud. */
  tts?: boolean | undefined
  /** At most 10. */
  embeds?: readonly Embed[] | null | undefined
  /** Mentions that notify. Default: all that the text contains. */
  allowed_mentions?: AllowedMentions | null | undefined
  /** A bit set: SUPPRESS_EMBEDS 4, EPHEMERAL 64, SUPPRESS_NOTIFICATIONS 4096, IS_VOICE_MESSAGE 8192, IS_COMPONENTS_V2 32768. */
  flags?: number | null | undefined
  /** Up to 5 rows, or components of version 2: then up to 40, counted at every depth. */
  components?: readonly MessageComponent[] | null | undefined
  /** Descriptions of files that are sent, and in an edit the attachments that stay. At most 10. */
  attachments?: readonly AttachmentData[] | null | undefined
  /** A poll. */
  poll?: Poll | null | undefined
}

/** A suggestion of autocomplete. */
export interface AutocompleteChoice<Value extends string | number = string | number> {
  /** Label that the user sees, 1 to 100 characters. */
  name: string
  /** Names by locale. A locale without an entry shows `name`. */
  name_localizations?: Localizations | null
  /** Value that the command receives. */
  value: Value
}

/** A modal: a form that a player fills in. */
export interface ModalBody {
  /** Identifies the form: 1 to 100 characters. */
  custom_id: string
  /** 1 to 45 characters. */
  title: string
  /** 1 to 5. */
  components: readonly ModalComponent[]
}

/**
 * 1 PONG, 4 CHANNEL_MESSAGE_WITH_SOURCE, 5 DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE, 6 DEFERRED_UPDATE_MESSAGE, 7 UPDATE_MESSAGE, 8
 * APPLICATION_COMMAND_AUTOCOMPLETE_RESULT, 9 MODAL, 12 LAUNCH_ACTIVITY.
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

/** The response to a callback that was sent with `with_response=true`. */
export interface CallbackResponse {
  /** The interaction that was answered. */
  interaction: {
    /** Interaction id. */
    id: Snowflake
    /** Type of the interaction, or of the response. */
    type: InteractionType
    /** Instance id of a launched Activity. */
    activity_instance_id?: string
    /** Id of the message that the response created. */
    response_message_id?: Snowflake
    /** True while the message shows a loading state. */
    response_message_loading?: boolean
    /** True when only the user sees the message. */
    response_message_ephemeral?: boolean
    /** Channel of the interaction. */
    channel_id?: Snowflake
    /** Guild of the interaction. */
    guild_id?: Snowflake
  }
  /** Object that the response created. */
  resource?: {
    /** Type of the interaction, or of the response. */
    type: number
    /** Of type 12. */
    activity_instance?: { id: string }
    /** Of types 4 and 7. */
    message?: Message
  }
}
