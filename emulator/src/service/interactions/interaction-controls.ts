/** Programming interface of interactions (types only). */
import type { Choice } from './backend-response.js'
import type { DeliveryLogEntry } from './delivery-log.js'
import type { Message } from './messages.js'
import type { Input, UploadedFile } from './read-inputs.js'

/** The user who acts, and the channel. */
export interface UserContext {
  /** Id or username. */
  as: string
  /** Channel visible to the user. Default: the first one. */
  channel?: string | undefined
}

export interface UseCommandInput extends UserContext {
  /** Id or name of the command. */
  command: string
  /** Version in the user's window. Default: the newest one that has propagated to the channel. */
  version?: string | undefined
  options?: Input[] | undefined
  /** Target of a user or message command. */
  target?: string | undefined
}

export interface TypeOptionInput extends UseCommandInput {
  /** Name of the focused option; its value is the partial input. */
  focused: string
  /** True sends a half-typed number (`-`, `1e`) too, which the service's own client holds back. Default: false. */
  unchecked?: boolean | undefined
}

export interface PressButtonInput extends UserContext {
  message: string
  /** `custom_id` of the button or select menu. */
  component: string
  values?: string[] | undefined
}

export interface SubmitModalInput extends UserContext {
  /** Id of the modal, from `modal.id` of an outcome. */
  modal: string
  /** Keyed by the `custom_id` of each component. */
  values: Record<string, FormValue>
}

/** Value in a modal: a text, the chosen values or ids of a select or checkbox group, of a radio group (null for none), a checkbox, files. */
export type FormValue = string | string[] | boolean | null | UploadedFile[]

interface OutcomeFields {
  /**
   * `refused`: nothing was sent. `failed`: the backend did not respond correctly. The other kinds are visible to the player: a message, a
   * deferred one, an updated one, suggestions, a modal, the Activity.
   */
  kind: keyof OutcomeKinds
  /** Reason of a refusal or failure. */
  because?: string
  /** Error code of the service, if it refused. */
  code?: number
  message?: Message
  choices?: Choice[]
  modal?: { id: string; custom_id: string; title: string; components: unknown[] }
  /** `url` is the host page with a frame for the player; undefined while no game is set. */
  activity?: { instanceId: string; url: string | undefined }
}

/** Fields that an outcome of a kind always has. */
interface OutcomeKinds {
  message: 'message'
  deferred: 'message'
  updated: never
  choices: 'choices'
  modal: 'modal'
  activity: 'activity'
  refused: 'because'
  failed: 'because'
}

/** The view of a player after an interaction. `kind` tells which of the fields it has: `if (outcome.kind === 'message') outcome.message.content`. */
export type Outcome = {
  [Kind in keyof OutcomeKinds]: OutcomeFields & { kind: Kind } & Required<
      Pick<OutcomeFields, OutcomeKinds[Kind]>
    >
}[keyof OutcomeKinds]

/** A channel that a player sees. */
export interface ChannelView {
  id: string
  kind: 'guild' | 'direct'
  /** Name of the channel, or of the other user; of the application for messages with its bot. */
  name: string
  guild: { id: string; name: string } | null
}

export interface InteractionControls {
  /** URL of the backend's interactions endpoint; undefined if none is set. */
  readonly url: string | undefined
  /** Sets the backend's URL, after a forged request and a PING. */
  connect(url: string): Promise<void>
  use(input: UseCommandInput): Promise<Outcome>
  /** Requests suggestions for an option that is being typed. */
  type(input: TypeOptionInput): Promise<Outcome>
  press(input: PressButtonInput): Promise<Outcome>
  submit(input: SubmitModalInput): Promise<Outcome>
  /** Channels that a player sees: those of guilds, then direct messages. */
  channels(as: string): ChannelView[]
  /** Posts a message as a player. */
  say(input: UserContext & { content: string }): Message
  /** Messages that a player sees in a channel, oldest first. */
  messages(where: UserContext): Message[]
  /** The last 200 requests to the backend with their responses, oldest first, without tokens. */
  list(): DeliveryLogEntry[]
}
