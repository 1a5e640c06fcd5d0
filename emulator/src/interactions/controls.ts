/** What a test or a tool can do with interactions, and what comes of it. Types alone. */
import type { Choice } from './backend-response.js'
import type { DeliveryLogEntry } from './delivery-log.js'
import type { Message } from './messages.js'
import type { Input } from './options.js'

/** Who does something, and where. */
export interface UserContext {
  /** Id or username. */
  as: string
  /** A channel that the player sees; unless given, the first one. */
  channel?: string | undefined
}

export interface UseCommandInput extends UserContext {
  /** Id or name of the command. */
  command: string
  /** The version that the player's window shows; the newest one that reached the place unless given. */
  version?: string | undefined
  options?: Input[] | undefined
  /** Of user and message commands: whom or what was clicked. */
  target?: string | undefined
}

export interface TypeOptionInput extends UseCommandInput {
  /** The option that is being typed; its value is what was typed so far. */
  focused: string
}

export interface PressButtonInput extends UserContext {
  message: string
  /** `custom_id` of the button or menu. */
  component: string
  values?: string[] | undefined
}

export interface SubmitModalInput extends UserContext {
  /** As `modal.id` says. */
  modal: string
  values: Record<string, string>
}

export interface Outcome {
  /**
   * `refused`: nothing was sent. `failed`: the backend did not answer as it has to. The others are what the player sees:
   * a message, a promise of one, a changed one, suggestions, a form, the Activity.
   */
  kind: 'message' | 'deferred' | 'updated' | 'choices' | 'modal' | 'activity' | 'refused' | 'failed'
  /** Why it was refused or failed. */
  because?: string
  /** The service's error code, when it refused. */
  code?: number
  message?: Message
  choices?: Choice[]
  modal?: { id: string; custom_id: string; title: string; components: unknown[] }
  /** `url` is the host page with a frame for the player; undefined while no game is set. */
  activity?: { instanceId: string; url: string | undefined }
}

/** Where a player can be. */
export interface ChannelView {
  id: string
  kind: 'guild' | 'direct'
  /** The channel's, or of whom one writes to; the application's for messages with its bot. */
  name: string
  guild: { id: string; name: string } | null
}

export interface InteractionControls {
  /** Where the backend takes interactions; undefined while it is not said. */
  readonly url: string | undefined
  /** Sets the backend's address; a forged request and a PING come first. */
  connect(url: string): Promise<void>
  use(order: UseCommandInput): Promise<Outcome>
  /** Asks for suggestions while an option is being typed. */
  type(order: TypeOptionInput): Promise<Outcome>
  press(order: PressButtonInput): Promise<Outcome>
  submit(order: SubmitModalInput): Promise<Outcome>
  /** The channels that a player sees: of guilds, then direct messages. */
  channels(as: string): ChannelView[]
  /** A line of a player's own. */
  say(order: UserContext & { content: string }): Message
  /** What a player sees in a channel, oldest first. */
  messages(where: UserContext): Message[]
  /** The last 200 exchanges with the backend, oldest first, without tokens. */
  list(): DeliveryLogEntry[]
}
