/** What a handler is given: the interaction, and the ways to answer it that its kind allows. */
import type { ChosenUser } from '../commands/definition-types'
import { ConfigurationError } from '../foundation/errors'
import type { AutocompleteChoice, MessageData, ModalBody } from '../wire/interaction-response'
import type {
  ApplicationCommandAutocompleteInteraction,
  ApplicationCommandInteraction,
  InteractionMember,
  Message,
  MessageComponentInteraction,
  ModalSubmitInteraction,
  PlayerInteraction,
  User,
} from '../wire/interaction'

/** A message; `ephemeral` shows it to the player alone. */
export interface Reply extends MessageData {
  ephemeral?: boolean
}

/** A handler may return its reply. Nothing, or what the answer gave it, when it has answered already. */
export type HandlerResult = Reply | ActivityInstance | string | undefined | void

/** The running Activity: everybody who launches it in the same place gets the same id. */
export interface ActivityInstance {
  instanceId: string
}

interface Interactive<Raw extends PlayerInteraction> {
  readonly id: string
  readonly applicationId: string
  /** Who did it. */
  readonly user: User
  /** Absent in direct messages. */
  readonly member: InteractionMember | undefined
  readonly guildId: string | undefined
  readonly channelId: string | undefined
  /** The player's, for example `de`. */
  readonly locale: string | undefined
  /** As it arrived. */
  readonly raw: Raw
}

/**
 * Answers. The first one must come within 3 seconds; a handler that takes longer is deferred by itself. After that, 15 minutes.
 * Rejects with InteractionError `already_answered`, `token_expired`, `service_missing`; and with ApiError or NetworkError where it calls the service.
 */
export interface Answerable {
  /** Answers with a message. After a deferral it fills in what was promised. */
  reply(reply: Reply | string): Promise<void>
  /** Promises a reply. `ephemeral` is decided here and holds for that reply. */
  defer(options?: { ephemeral?: boolean }): Promise<void>
  /** One more message. Needs `service`. */
  followUp(reply: Reply | string): Promise<Message>
  /** Changes the first reply. Needs `service`. */
  editReply(reply: Reply | string): Promise<Message>
  /** Takes the first reply away. Needs `service`. */
  deleteReply(): Promise<void>
}

/** Interactions that may be answered with an Activity (supplement A.5.3). */
export interface Launchable {
  /** Brings up the Activity (callback type 12). Must be the first answer. */
  launchActivity(options?: { withResponse?: false }): Promise<void>
  /** And tells which instance it is, which all who launch it there share. Needs `service`. */
  launchActivity(options: { withResponse: true }): Promise<ActivityInstance>
}

interface OpensModals {
  /** Opens a form. Must be the first answer. */
  showModal(modal: ModalBody): Promise<void>
}

interface OfCommand extends Interactive<ApplicationCommandInteraction>, Answerable, Launchable, OpensModals {
  readonly commandName: string
}

/** A slash command. */
export interface CommandInteraction<Options = Readonly<Record<string, unknown>>> extends OfCommand {
  /** By name, with what `resolved` holds joined in. Has no prototype. */
  readonly options: Options
}

/** A command in the context menu of a user. */
export interface UserCommandInteraction extends OfCommand {
  readonly target: ChosenUser
}

/** A command in the context menu of a message. */
export interface MessageCommandInteraction extends OfCommand {
  readonly target: Message
}

/** The entry point, where the application itself handles it (APP_HANDLER). */
export type EntryPointInteraction = OfCommand

/** A button or a menu in a message. */
export interface ComponentInteraction extends Interactive<MessageComponentInteraction>, Answerable, Launchable, OpensModals {
  readonly customId: string
  /** Changes the message that holds the component. */
  update(reply: Reply | string): Promise<void>
}

/** A form that was sent. */
export interface ModalInteraction extends Interactive<ModalSubmitInteraction>, Answerable, Launchable {
  readonly customId: string
}

/** The player is typing an option. Cannot be answered with anything but suggestions. */
export interface AutocompleteInteraction<
  Options = Readonly<Record<string, unknown>>,
  Value = string | number | undefined,
> extends Interactive<ApplicationCommandAutocompleteInteraction> {
  readonly commandName: string
  /** What has been typed so far. Of a number `undefined` while it is none. */
  readonly value: Value
  /** Whatever has been filled in yet. Has no prototype. */
  readonly options: Options
}

/** Suggestions; at most 25 are sent. Bare values are their own names. */
export type Suggestions<Value extends string | number> = readonly (Value | AutocompleteChoice<Value>)[]

/** Brings up the Activity: `interaction.launchActivity()` as a function. @throws ConfigurationError `invalid_argument` for any other interaction. */
export function launchActivity(interaction: Launchable, options?: { withResponse?: false }): Promise<void>
export function launchActivity(interaction: Launchable, options: { withResponse: true }): Promise<ActivityInstance>
export async function launchActivity(interaction: Launchable, options?: { withResponse?: boolean }): Promise<ActivityInstance | void> {
  if (typeof interaction?.launchActivity !== 'function') throw new ConfigurationError('invalid_argument', 'interaction')
  return options?.withResponse ? interaction.launchActivity({ withResponse: true }) : interaction.launchActivity()
}
