/** Messages of lobbies, and their moderation metadata. */
import {
  NOT_INTEGER,
  NOT_OBJECT,
  NOT_TEXT,
  outside,
  tooMany,
  type ValidationContext,
} from '../../check/validation-context.js'
import { checkText } from '../../check/check-names.js'
import { fieldsOf, isObject } from '../../foundation/values.js'
import { findUser } from '../../state/find-user.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { checkMetadata, LOBBY_LIMITS } from '../../check/check-lobby.js'
import type { LobbyBehavior } from '../../state/lobby-behavior.js'
import type { Lobby, LobbyMember, LobbyMessage, Metadata } from '../../model/lobby.js'
import { emptyMessage, unknownMessage } from '../../check/lobby-errors.js'

interface MessageInput {
  content: string
  metadata: Metadata
  flags: number
}

const { messages, moderation } = LOBBY_LIMITS
const LARGEST_FLAGS = 2 ** 31 - 1

/** The result is complete only if there are no errors. */
export function checkMessage(
  body: unknown,
  validation: ValidationContext,
  behavior: LobbyBehavior,
): MessageInput {
  if (!isObject(body)) validation.addError(NOT_OBJECT)
  const { content, metadata, flags } = fieldsOf(body)
  const text =
    isObject(body) &&
    checkText(content, validation.at('content'), { smallest: 0, largest: behavior.messageLength })
      ? content
      : ''
  return {
    content: text,
    metadata: checkMetadata(metadata, validation.at('metadata'), behavior) ?? null,
    flags: checkWhole(flags, validation.at('flags'), { smallest: 0, largest: LARGEST_FLAGS }) ?? 0,
  }
}

/** Parses the number of requested messages. */
export function checkLimit(value: string | undefined, validation: ValidationContext): number {
  const limit = value === undefined ? undefined : /^\d{1,9}$/.test(value) ? Number(value) : value
  return (
    checkWhole(limit, validation.at('limit'), { smallest: 1, largest: messages.largest }) ?? messages.usual
  )
}

export function checkModeration(body: unknown, validation: ValidationContext): Record<string, string> {
  if (!isObject(body)) validation.addError(NOT_OBJECT)
  const entries = Object.entries(fieldsOf(body))
  if (entries.length > moderation.keys) validation.addError(tooMany(moderation.keys))
  const texts = entries.filter((entry): entry is [string, string] => {
    const [key, value] = entry
    checkText(key, validation.at(key), { largest: moderation.keyLength })
    if (typeof value !== 'string') validation.at(key).addError(NOT_TEXT)
    else checkText(value, validation.at(key), { smallest: 0, largest: moderation.valueLength })
    return typeof value === 'string'
  })
  return Object.fromEntries(texts)
}

export class Messages {
  readonly #context: EmulatorContext

  constructor(context: EmulatorContext) {
    this.#context = context
  }

  /** @throws ApiError 400 for an empty message */
  send(
    lobby: Lobby,
    author: LobbyMember,
    { content, metadata, flags }: MessageInput,
  ): Record<string, unknown> {
    if (content.trim() === '') throw emptyMessage()
    const { state, clock, lobbyBehavior } = this.#context
    const now = Math.floor(clock.now())
    const { userId: authorId, additionalName } = author
    const { id: lobbyId, applicationId } = lobby
    const id = state.lobbies.nextId(now)
    const message = {
      id,
      lobbyId,
      applicationId,
      authorId,
      content,
      flags,
      metadata,
      moderation: null,
      additionalName,
    }
    // Metadata is dispatched, and not stored.
    const stored = lobbyBehavior.messageMetadata === 'history' ? message : { ...message, metadata: null }
    state.lobbies.putMessage(stored, now)
    this.#context.events.emit({ name: 'lobby.message', data: this.#payload(message) })
    return this.#payload(stored)
  }

  /** Messages of the last three days, newest first. */
  list({ id }: Lobby, limit: number): Record<string, unknown>[] {
    const since = Math.floor(this.#context.clock.now()) - messages.life
    return this.#context.state.lobbies.messages(id, { since, limit }).map((message) => this.#payload(message))
  }

  /** @throws ApiError 404 */
  moderate({ id }: Lobby, messageId: string, notes: Record<string, string>): void {
    const { lobbies } = this.#context.state
    const found = lobbies.message(id, messageId)
    if (found === undefined) throw unknownMessage()
    const message = { ...found.message, moderation: notes }
    lobbies.putMessage(message, found.created)
    this.#context.events.emit({ name: 'lobby.message_updated', data: this.#payload(message) })
  }

  #payload(message: LobbyMessage): Record<string, unknown> {
    const { id, lobbyId, applicationId, authorId, content, flags, metadata, additionalName } = message
    return {
      id,
      type: 0,
      content,
      lobby_id: lobbyId,
      channel_id: lobbyId,
      author: authorPayload(authorId, this.#context),
      ...(additionalName === null ? {} : { lobby_member: { additional_name: additionalName } }),
      ...(metadata === null ? {} : { metadata }),
      ...(message.moderation === null ? {} : { moderation_metadata: message.moderation }),
      flags,
      application_id: applicationId,
    }
  }
}

function checkWhole(
  value: unknown,
  validation: ValidationContext,
  { smallest, largest }: { smallest: number; largest: number },
): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isInteger(value)) validation.addError(NOT_INTEGER)
  else if (value < smallest || value > largest) validation.addError(outside(smallest, largest))
  else return value
  return undefined
}

/** Author payload; a deleted account keeps only its id. */
function authorPayload(id: string, context: EmulatorContext): Record<string, unknown> {
  const player = findUser(id, context)
  if (player === undefined)
    return { id, username: 'deleted', discriminator: '0', global_name: null, avatar: null, public_flags: 0 }
  const { username, globalName, avatar } = player
  return { id, username, discriminator: '0', global_name: globalName, avatar, public_flags: 0 }
}
