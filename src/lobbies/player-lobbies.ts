/** The lobbies of a player: made and joined by a secret, left, written in, and linked (supplement A.2.3). */
import { ApiError, type FoyerError } from '../foundation/errors'
import type { Api, ApiCall } from '../http/api'
import type { Lobby, LobbyMessage, Metadata } from './lobby'
import type { LobbyCache } from './lobby-cache'
import type { LobbyCallQueues } from './lobby-call-queue'
import { readLobby, readMessage, readMessages } from './decode-player-lobby'
import { joinBody, type JoinOptions, messageBody, requireIds, requireLimit } from './validate-player-input'

export interface CallOptions {
  /** Frees a call that waits for a limit, or is under way. */
  signal?: AbortSignal
}

const ALL = '/lobbies'
export const MEMBER = '/lobbies/{lobby.id}/members/@me'
const MESSAGES = '/lobbies/{lobby.id}/messages'
const LINK = '/lobbies/{lobby.id}/channel-linking'

/** Nobody knows of such a lobby any more, or the player is not in it. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'unknown_lobby'

export class PlayerLobbies {
  readonly #api: Api
  readonly #cache: LobbyCache
  readonly #lines: LobbyCallQueues

  constructor(api: Api, cache: LobbyCache, lines: LobbyCallQueues) {
    this.#api = api
    this.#cache = cache
    this.#lines = lines
  }

  /** A join that waited while the same one was answered has its answer in that one. */
  async join(secret: string, { signal, ...options }: JoinOptions & CallOptions): Promise<Lobby> {
    const body = joinBody(secret, options)
    const sent = JSON.stringify(body)
    const line = this.#lines.find({ secret })
    const joined = await line.enter({ route: `PUT ${ALL}`, signal })
    const same = joined?.sent === sent && joined.generation === this.#cache.generation ? this.#cache.get(joined.lobbyId) : undefined
    let answered = false
    try {
      if (same) return same
      line.joined = undefined
      const { generation } = this.#cache
      const lobby = await this.#join(body, signal)
      answered = true
      line.joined = { lobbyId: lobby.id, sent, generation }
      this.#lines.name(line, lobby.id)
      return lobby
    } finally {
      line.exit({ answered })
      this.#lines.tidy()
    }
  }

  async leave(lobbyId: string, { signal }: CallOptions): Promise<void> {
    requireIds({ lobbyId })
    const line = this.#lines.find({ lobbyId })
    await line.enter({ route: `DELETE ${MEMBER}`, signal })
    line.joined = undefined
    const { generation } = this.#cache
    try {
      await this.#send({ method: 'DELETE', route: MEMBER, ids: { 'lobby.id': lobbyId }, signal })
      this.#drop(lobbyId, generation)
    } catch (error) {
      throw serverLobby(error)
    } finally {
      line.exit({ answered: false })
      this.#lines.tidy()
    }
  }

  async write(
    lobbyId: string,
    message: { content: string; metadata: Metadata | undefined },
    { signal }: CallOptions,
  ): Promise<LobbyMessage> {
    requireIds({ lobbyId })
    const body = messageBody(message.content, message.metadata)
    const { generation } = this.#cache
    const answer = await this.#send({ method: 'POST', route: MESSAGES, ids: { 'lobby.id': lobbyId }, body, signal })
    const written = readMessage(answer.body, `POST ${MESSAGES}`)
    if (generation === this.#cache.generation) this.#cache.hear([written])
    return written
  }

  /** Newest first. */
  async messages(lobbyId: string, limit: number, { signal, priority }: CallOptions & Pick<ApiCall, 'priority'>): Promise<LobbyMessage[]> {
    requireIds({ lobbyId })
    requireLimit(limit)
    const call = { method: 'GET', route: MESSAGES, ids: { 'lobby.id': lobbyId }, query: { limit: String(limit) } } as const
    return readMessages((await this.#send({ ...call, signal, priority })).body, `GET ${MESSAGES}`)
  }

  async link(lobbyId: string, channelId: string | undefined, { signal }: CallOptions): Promise<Lobby> {
    requireIds({ lobbyId, ...(channelId !== undefined && { channelId }) })
    const body = channelId === undefined ? {} : { channel_id: channelId }
    const { generation } = this.#cache
    const answer = await this.#send({ method: 'PATCH', route: LINK, ids: { 'lobby.id': lobbyId }, body, signal })
    return this.#keep(readLobby(answer.body, `PATCH ${LINK}`), generation)
  }

  async #join(body: ReturnType<typeof joinBody>, signal: AbortSignal | undefined): Promise<Lobby> {
    const { generation } = this.#cache
    const answer = await this.#api.send({ method: 'PUT', route: ALL, ids: {}, body, signal })
    return this.#keep(readLobby(answer.body, `PUT ${ALL}`), generation)
  }

  #keep(lobby: Lobby, era: number): Lobby {
    if (era === this.#cache.generation) this.#cache.put(lobby)
    return lobby
  }

  #drop(lobbyId: string, era: number): void {
    if (era === this.#cache.generation) this.#cache.drop(lobbyId)
  }

  /** One that the service does not know any more is forgotten here too. */
  async #send(call: ApiCall): ReturnType<Api['send']> {
    const { generation } = this.#cache
    try {
      return await this.#api.send(call)
    } catch (error) {
      if (isGone(error)) this.#drop(call.ids['lobby.id'] ?? '', generation)
      throw error
    }
  }
}

/** Leaving is safe for whoever is in no lobby: a refusal for want of access means that a server made it (S:261). */
function serverLobby(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'missing_access') return error
  const { status, apiCode } = error
  const refusal: FoyerError = new ApiError('made_by_server', `DELETE ${MEMBER}`, {
    status,
    ...(apiCode !== undefined && { apiCode }),
    cause: error,
  })
  return refusal
}
