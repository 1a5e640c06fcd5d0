/** Messages of lobbies, and their moderation metadata. */
import { deletedUserPayload, userPayload } from '../guilds/user-payload.js'
import { findUser } from '../../state/find-user.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { LOBBY_LIMITS } from '../../check/check-lobby.js'
import type { LobbyMessageBody } from '../../check/check-message.js'
import type { Lobby, LobbyMember, LobbyMessage } from '../../model/lobby.js'
import { emptyMessage, unknownMessage } from '../../check/lobby-errors.js'

export class Messages {
  readonly #context: EmulatorContext

  constructor(context: EmulatorContext) {
    this.#context = context
  }

  /** @throws ApiError 400 for an empty message */
  send(
    lobby: Lobby,
    author: LobbyMember,
    { content, metadata: given, flags: marks }: Pick<LobbyMessageBody, 'content' | 'metadata' | 'flags'>,
  ): Record<string, unknown> {
    if (content.trim() === '') throw emptyMessage()
    const { state, clock, lobbyBehavior } = this.#context
    const now = Math.floor(clock.now())
    const { userId: authorId, additionalName } = author
    const { id: lobbyId, applicationId } = lobby
    const id = state.lobbies.nextId(now)
    const [metadata, flags] = [given ?? null, marks ?? 0]
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
    const since = Math.floor(this.#context.clock.now()) - LOBBY_LIMITS.messages.life
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
    const author = findUser(authorId, this.#context)
    return {
      id,
      type: 0,
      content,
      lobby_id: lobbyId,
      channel_id: lobbyId,
      author: author === undefined ? deletedUserPayload(authorId) : userPayload(author),
      ...(additionalName === null ? {} : { lobby_member: { additional_name: additionalName } }),
      ...(metadata === null ? {} : { metadata }),
      ...(message.moderation === null ? {} : { moderation_metadata: message.moderation }),
      flags,
      application_id: applicationId,
    }
  }
}
