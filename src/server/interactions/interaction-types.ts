/** Interaction types passed to handlers, with the response methods of each kind. */
import type { ChosenUser } from '../commands/types-from-definition'
import { ConfigurationError } from '../../shared/foundation/errors'
import type { MessageInput } from '../messages/prepare-message'
import type { AutocompleteChoice, ModalBody } from '../../shared/wire/interaction-response'
import type {
  ApplicationCommandAutocompleteInteraction,
  ApplicationCommandInteraction,
  InteractionMember,
  Message,
  MessageComponentInteraction,
  ModalSubmitInteraction,
  PlayerInteraction,
  User,
} from '../../shared/wire/interaction-request'

/**
 * Message of a response, with its files. `ephemeral` shows it to the user only, or to all. If a placeholder has another visibility, it is
 * deleted, and the message is a new one. Default: the declared `visibility`, or visible to all.
 */
export type Reply = MessageInput

/** Result of a handler: the reply to send, or nothing after a response method was called. */
export type HandlerResult = Reply | Message | ActivityInstance | string | undefined | void

/** Running Activity: all who launch it in the same location share its id. */
export interface ActivityInstance {
  /** Id of the Activity instance. */
  instanceId: string
}

interface Interactive<Raw extends PlayerInteraction> {
  /** Interaction id. */
  readonly id: string
  /** Id of the application that received the interaction. */
  readonly applicationId: string
  /** User who triggered the interaction. */
  readonly user: User
  /** Guild member; undefined in direct messages. */
  readonly member: InteractionMember | undefined
  /** Guild id; undefined in direct messages. */
  readonly guildId: string | undefined
  /** Channel id, if any. */
  readonly channelId: string | undefined
  /** The user's locale, for example `de`. */
  readonly locale: string | undefined
  /** Payload as received. */
  readonly raw: Raw
}

/**
 * Response methods. The first response must be sent within 3 seconds; a slower handler is deferred automatically. Further responses are
 * possible for 15 minutes.
 *
 * @throws InteractionError `already_answered`, `token_expired`, `service_missing`, `visibility_fixed`. @throws ApiError, NetworkError or
 * RateLimitError from calls to the service, after retries. A further message whose confirmation got lost is not sent again, since it could
 * appear twice.
 */
export interface Answerable {
  /** Responds with a message, or fills in a deferred one. */
  reply(reply: Reply | string): Promise<void>
  /**
   * Defers the response and shows a loading state; `reply` completes it. `ephemeral` applies to that reply too, unless it says otherwise.
   * Default: the declared `visibility`, or false.
   */
  defer(options?: { ephemeral?: boolean | undefined }): Promise<void>
  /** Sends a further message; after `defer` it completes the response. Requires `service`. */
  followUp(reply: Reply | string): Promise<Message>
  /** Edits the first response. Who sees it cannot change. Requires `service`. */
  editReply(reply: Reply | string): Promise<Message>
  /** Deletes the first response. Requires `service`. */
  deleteReply(): Promise<void>
}

/** Interactions that can launch an Activity (docs/interface/interactions.md#responses). */
export interface Launchable {
  /** Launches the Activity (callback type 12). Must be the first response. */
  launchActivity(options?: { withResponse?: false | undefined }): Promise<void>
  /** Launches the Activity and returns its instance, shared by all who launch it there. Requires `service`. */
  launchActivity(options: { withResponse: true }): Promise<ActivityInstance>
}

interface OpensModals {
  /** Opens a modal, or the definition of one that `defineModal` made. Must be the first response. */
  showModal(modal: ModalBody | { readonly definition: ModalBody }): Promise<void>
}

interface OfCommand extends Interactive<ApplicationCommandInteraction>, Answerable, Launchable, OpensModals {
  /** Name of the command. */
  readonly commandName: string
}

/** Slash command invocation. */
export interface CommandInteraction<Options = Readonly<Record<string, unknown>>> extends OfCommand {
  /** Option values by name, with users, channels, roles and attachments resolved. Has no prototype. */
  readonly options: Options
}

/** User context menu command. */
export interface UserCommandInteraction extends OfCommand {
  /** Selected user. */
  readonly target: ChosenUser
}

/** Message context menu command. */
export interface MessageCommandInteraction extends OfCommand {
  /** Selected message. */
  readonly target: Message
}

/** Entry point command handled by the application (APP_HANDLER). */
export type EntryPointInteraction = OfCommand

/** Button or select menu interaction. */
export interface ComponentInteraction
  extends Interactive<MessageComponentInteraction>, Answerable, Launchable, OpensModals {
  /** `custom_id` of the component. */
  readonly customId: string
  /** Values or ids that were chosen in a select menu; empty for a button. The objects of ids are in `raw.data.resolved`. */
  readonly values: readonly string[]
  /** Edits the message that contains the component. */
  update(reply: Reply | string): Promise<void>
}

/** Submitted modal. */
export interface ModalInteraction<Values = Readonly<Record<string, unknown>>>
  extends Interactive<ModalSubmitInteraction>, Answerable, Launchable {
  /** `custom_id` of the modal. */
  readonly customId: string
  /**
   * Values by `custom_id`, with users, roles, channels and files resolved. Has no prototype. Of a modal that `defineModal` does not know, a
   * value that cannot be read is undefined.
   */
  readonly values: Values
  /**
   * Edits the message whose component opened the modal.
   *
   * @throws InteractionError `message_missing` if a command opened it.
   */
  update(reply: Reply | string): Promise<void>
}

/** Autocomplete request while the user types. Suggestions are the only possible response. */
export interface AutocompleteInteraction<
  Options = Readonly<Record<string, unknown>>,
  Value = string | number | undefined,
> extends Interactive<ApplicationCommandAutocompleteInteraction> {
  /** Name of the command. */
  readonly commandName: string
  /** Current input of the focused option as typed, for example `-` or `1e` in an option of type INTEGER. */
  readonly text: string
  /** The input as a value; of a number option `undefined` while it is no number, or one that would be rounded. */
  readonly value: Value
  /** Options filled in so far. Has no prototype. */
  readonly options: Options
}

/**
 * Suggested values or `{ name, value }` choices; at most 25 are sent. A bare value is its own name. Those that the option does not allow are
 * left out, and reported once as `suggestions_dropped`.
 */
export type Suggestions<Value extends string | number> = readonly (Value | AutocompleteChoice<Value>)[]

/**
 * Launches the Activity; function form of `interaction.launchActivity()`. @throws ConfigurationError `invalid_argument` for interactions
 * that cannot.
 */
export function launchActivity(
  interaction: Launchable,
  options?: { withResponse?: false | undefined },
): Promise<void>
export function launchActivity(
  interaction: Launchable,
  options: { withResponse: true },
): Promise<ActivityInstance>
export async function launchActivity(
  interaction: Launchable,
  options?: { withResponse?: boolean | undefined },
): Promise<ActivityInstance | void> {
  if (typeof interaction?.launchActivity !== 'function')
    throw new ConfigurationError('invalid_argument', 'interaction')
  return options?.withResponse
    ? interaction.launchActivity({ withResponse: true })
    : interaction.launchActivity()
}
