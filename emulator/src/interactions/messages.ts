/** The messages of all channels, as long as the emulator runs. */
import type { Clock } from '../foundation/clock.js'
import type { Snowflakes } from '../state/snowflakes.js'
import { ephemeral } from './backend-response.js'

export interface Message {
  id: string
  channel_id: string
  /** 0 is what a player wrote, 20 and 23 the answer to a command, 7 a line of the service itself. */
  type: number
  content: string
  author: Record<string, unknown>
  embeds: unknown[]
  components: unknown[]
  attachments: unknown[]
  flags: number
  timestamp: string
  edited_timestamp: string | null
  application_id?: string
  /** Which command it answers, and whose. */
  interaction_metadata?: Record<string, unknown>
}

/** Who sees it: everybody in the channel, or one player (ephemeral). */
export interface Kept {
  message: Message
  onlyFor: string | undefined
}

export const loading = 128

/** What may be set in a message; the rest is the service's. */
type Content = Partial<Pick<Message, 'content' | 'embeds' | 'components' | 'attachments' | 'flags'>>

interface Origin {
  channelId: string
  author: Record<string, unknown>
  type: number
  onlyFor?: string | undefined
  more?: Partial<Message>
}

const capacity = 500

export class Messages {
  readonly #clock: Clock
  readonly #snowflakes: Snowflakes
  readonly #tell: () => void
  #kept: Kept[] = []

  constructor(clock: Clock, snowflakes: Snowflakes, tell: () => void) {
    this.#clock = clock
    this.#snowflakes = snowflakes
    this.#tell = tell
  }

  add(content: Content, { channelId, author, type, onlyFor, more = {} }: Origin): Message {
    const now = this.#clock.now()
    const empty = { content: '', embeds: [], components: [], attachments: [], flags: 0 }
    const message: Message = {
      id: this.#snowflakes.next(now),
      channel_id: channelId,
      type,
      author,
      timestamp: new Date(now).toISOString(),
      edited_timestamp: null,
      ...empty,
      ...content,
      ...more,
    }
    this.#kept.push({ message, onlyFor })
    if (this.#kept.length > capacity) this.#kept.shift()
    this.#tell()
    return message
  }

  find(id: string): Message | undefined {
    return this.#kept.find(({ message }) => message.id === id)?.message
  }

  /** A deferred message that is filled in stays as private as it was promised. */
  edit(id: string, content: Content): Message | undefined {
    const message = this.find(id)
    if (message === undefined) return undefined
    const wasLoading = (message.flags & loading) !== 0
    const kept = message.flags & ephemeral
    Object.assign(message, content, { flags: ((content.flags ?? message.flags) & ~loading & ~ephemeral) | kept })
    if (!wasLoading) message.edited_timestamp = new Date(this.#clock.now()).toISOString()
    this.#tell()
    return message
  }

  /** True when there was one. */
  delete(id: string): boolean {
    const before = this.#kept.length
    this.#kept = this.#kept.filter(({ message }) => message.id !== id)
    this.#tell()
    return this.#kept.length < before
  }

  /** What a player sees in a channel, oldest first. */
  list(channelId: string, viewer: string): Kept[] {
    return this.#kept.filter(({ message, onlyFor }) => message.channel_id === channelId && (onlyFor === undefined || onlyFor === viewer))
  }

  clear(): void {
    this.#kept = []
    this.#tell()
  }
}
