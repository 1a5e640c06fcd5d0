/** Messages of all channels, in memory. */
import type { Clock } from '../../state/clock.js'
import type { Snowflakes } from '../../state/snowflakes.js'
import { COMPONENTS_V2 } from '../../check/check-message.js'
import { EPHEMERAL } from './backend-response.js'

export interface Message {
  id: string
  channel_id: string
  /** 0: message of a player. 20, 23: response to a command. 7: message of the service. */
  type: number
  content: string
  author: Record<string, unknown>
  embeds: unknown[]
  components: unknown[]
  attachments: unknown[]
  flags: number
  pinned: boolean
  tts: boolean
  mention_everyone: boolean
  mentions: Record<string, unknown>[]
  mention_roles: string[]
  /** Poll with numbered answers. */
  poll?: Record<string, unknown>
  timestamp: string
  edited_timestamp: string | null
  application_id?: string
  /** The command that it responds to, and its user. */
  interaction_metadata?: Record<string, unknown>
  /** The instance of the Activity that was launched. */
  activity_instance_id?: string
  /** Invitation into an instance of the Activity. */
  activity_invitation?: Record<string, unknown>
  /** Parameters of a shared link that opens the Activity. */
  activity_link?: Record<string, unknown>
}

/** Visible to everybody in the channel, or to one player (ephemeral). */
export interface Kept {
  message: Message
  onlyFor: string | undefined
}

/** A change of a message. */
export interface MessageChange extends Kept {
  kind: 'created' | 'updated' | 'deleted'
}

export const LOADING = 128

/** Fields that a backend may set; the service sets all others. */
export type Content = Partial<
  Pick<Message, 'content' | 'embeds' | 'components' | 'attachments' | 'flags' | 'poll'>
>

interface Origin {
  channelId: string
  author: Record<string, unknown>
  type: number
  onlyFor?: string | undefined
  more?: Partial<Message>
}

const CAPACITY = 500

export class Messages {
  readonly #clock: Clock
  readonly #snowflakes: Snowflakes
  readonly #onChange: (change?: MessageChange) => void
  #kept: Kept[] = []

  /** @param onChange is called without a change after all messages are gone. */
  constructor(clock: Clock, snowflakes: Snowflakes, onChange: (change?: MessageChange) => void) {
    this.#clock = clock
    this.#snowflakes = snowflakes
    this.#onChange = onChange
  }

  add(content: Content, { channelId, author, type, onlyFor, more = {} }: Origin): Message {
    const now = this.#clock.now()
    const message: Message = {
      id: this.#snowflakes.next(now),
      channel_id: channelId,
      type,
      author,
      timestamp: new Date(now).toISOString(),
      edited_timestamp: null,
      content: '',
      embeds: [],
      components: [],
      attachments: [],
      flags: 0,

      tts: false,
      pinned: false,
      mention_everyone: false,
      mentions: [],
      mention_roles: [],
      ...content,
      ...more,
    }
    this.#kept.push({ message, onlyFor })
    if (this.#kept.length > CAPACITY) this.#kept.shift()
    this.#onChange({ kind: 'created', message, onlyFor })
    return message
  }

  find(id: string): Message | undefined {
    return this.#find(id)?.message
  }

  /** A deferred message keeps its visibility when it is filled in, and no message loses its version of components. */
  edit(id: string, content: Content): Message | undefined {
    const found = this.#find(id)
    if (found === undefined) return undefined
    const { message } = found
    const wasLoading = (message.flags & LOADING) !== 0
    const kept = message.flags & (EPHEMERAL | COMPONENTS_V2)
    Object.assign(message, content, {
      flags: ((content.flags ?? message.flags) & ~LOADING & ~EPHEMERAL) | kept,
    })
    if (!wasLoading) message.edited_timestamp = new Date(this.#clock.now()).toISOString()
    this.#onChange({ kind: 'updated', ...found })
    return message
  }

  /** True if the message existed. */
  delete(id: string): boolean {
    const found = this.#find(id)
    if (found === undefined) return false
    this.#kept = this.#kept.filter((kept) => kept !== found)
    this.#onChange({ kind: 'deleted', ...found })
    return true
  }

  /** Messages that a player sees in a channel, oldest first. */
  list(channelId: string, viewer: string): Kept[] {
    return this.#kept.filter(
      ({ message, onlyFor }) =>
        message.channel_id === channelId && (onlyFor === undefined || onlyFor === viewer),
    )
  }

  clear(): void {
    this.#kept = []
    this.#onChange()
  }

  #find(id: string): Kept | undefined {
    return this.#kept.find(({ message }) => message.id === id)
  }
}
