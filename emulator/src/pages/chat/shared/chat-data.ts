/** Data of the chat page, as the emulator's chat API sends it (types only). */
import type { ShownCommand, ShownOption } from '../../../service/chat/shown-command.js'
import type { startOf, viewOf } from '../../../service/chat/chat-page-view.js'
import type { DeliveryLogEntry } from '../../../service/interactions/delivery-log.js'
import type { Outcome } from '../../../service/interactions/interaction-controls.js'
import type { Message } from '../../../service/interactions/messages.js'
import type { MarkdownNode } from '../../../service/chat/markdown-node.js'
import type { AttachmentData, ComponentData, EmbedData, PollData } from './wire-parts.js'

/** Data that is the same for all players. */
export type Start = ReturnType<typeof startOf>

/** Texts of messages or a modal, each with its parsed Markdown. */
export type Markdown = Record<string, MarkdownNode[]>

/** Everything that one player sees in one channel. */
export interface View extends Omit<ReturnType<typeof viewOf>, 'messages' | 'presences' | 'commands'> {
  commands: Command[]
  messages: ShownMessage[]
  /** Keyed by player id. */
  presences: Record<string, Presence>
}

/** Command in the player's language. */
export interface Command extends ShownCommand {
  /** Label of a command with permissions of its own. */
  permissions?: string
}

export type { DeliveryLogEntry, ShownOption }

/** The player, and the channel; the first one that they see without it. */
export interface Place {
  as: string
  channel?: string | undefined
}

export interface Author {
  id: string
  username: string
  global_name?: string | null
  bot?: boolean
}

type Unread =
  | 'poll'
  | 'author'
  | 'embeds'
  | 'components'
  | 'attachments'
  | 'interaction_metadata'
  | 'activity_invitation'
  | 'activity_link'

export interface ShownMessage extends Omit<Message, Unread> {
  author: Author
  embeds: EmbedData[]
  components: ComponentData[]
  attachments: AttachmentData[]
  poll?: PollData
  /** True if only this player sees it. */
  ephemeral: boolean
  /** `type` is that of the interaction: 2 command, 3 component, 5 modal. */
  interaction_metadata?: {
    type?: number
    name?: string
    user: Author
    interacted_message_id?: string
  }
  message_reference?: { message_id?: string }
  activity_invitation?: { id: string; to: string }
  activity_link?: {
    custom_id?: string
    referrer_id?: string
    link_id?: string
    title?: string
    description?: string
    image?: string
    /** Epoch milliseconds. */
    expires_at?: number
  }
}

/** Rich presence that friends see. */
export interface Presence {
  name: string
  details?: string
  state?: string
  party?: { size?: [number, number] }
}

export interface ModalData {
  id: string
  custom_id: string
  title: string
  components: ComponentData[]
  markdown: Markdown
}

export interface Suggestion {
  label: string
  value: string | number | boolean
}

/** Instance of the Activity, and the address of its host page. */
export interface LaunchedActivity {
  instanceId: string
  url?: string | undefined
  /** Of an accepted invitation: the Activity, or the game's page in a tab of its own. */
  opens?: 'activity' | 'game'
}

/** Fields of a failed request: the emulator refused the input, or nothing answered. */
export interface Failure {
  problem?: string | undefined
  /** True if there was no response. */
  unreachable?: boolean
}

/** Answer to a player's action, or to a change of an address. */
export interface ActionResult
  extends Failure, Partial<LaunchedActivity>, Partial<Pick<Outcome, 'kind' | 'because' | 'code'>> {
  choices?: Suggestion[]
  modal?: ModalData
  activity?: LaunchedActivity
}

/** Sends an action of the shown player in the shown channel. */
export type Act = (
  name: 'use' | 'press' | 'submit' | 'say' | 'ask' | 'accept-program' | 'quit',
  body: object,
) => Promise<ActionResult>

/** A command that can be used: one without subcommands, or one subcommand. */
export interface Route {
  key: string
  command: Command
  label: string
  description: string
  /** Names of the group and the subcommand. */
  path: string[]
  options: ShownOption[]
}

/** Value of an option; undefined while nothing is chosen. */
export type OptionValue = Suggestion['value'] | UploadedFile | undefined

export interface UploadedFile {
  filename: string
  /** Base64. */
  data: string
  content_type?: string
}

export interface FieldProps {
  option: ShownOption
  view: View
  value: OptionValue
  change: (value: OptionValue) => void
  /** Requests suggestions for a text; `unchecked` also for a number that is none yet. */
  suggest: (text: string, options: { unchecked: boolean }) => Promise<ActionResult>
}

/** Field with the id that its label and its hint refer to. */
export type ControlProps = FieldProps & { id: string }
