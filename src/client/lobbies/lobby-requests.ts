/** Requests of a player about lobbies: create, join, leave, messages and channel links (docs/interface/lobbies.md#player-endpoints). */
import type { CallOptions } from '../../shared/foundation/options'
import { ApiError, type FoyerError, NetworkError } from '../../shared/foundation/errors'
import type { ApplicationId } from '../../shared/foundation/ids'
import type { Api, ApiCall } from '../../shared/http/api'
import type { LobbyEndReason, LobbyId, LobbyMessage, LobbyState, Metadata } from './lobby-state'
import type { LobbyCache } from './lobby-cache'
import { readInviteCode, readLobby, readMessage, readMessages } from './read-lobby'
import {
  joinBody,
  type JoinOptions,
  linkBody,
  messageBody,
  requireIds,
  requireLimit,
} from './validate-player-input'
import type { Clock } from '../../shared/foundation/clock'
import { type Deferred, createDeferred } from '../../shared/foundation/async'

const ALL = '/lobbies'
export const OWN_MEMBER = '/lobbies/{lobby.id}/members/@me'
const MESSAGES = '/lobbies/{lobby.id}/messages'
const LINK = '/lobbies/{lobby.id}/channel-linking'
const INVITES = '/lobbies/{lobby.id}/members/@me/invites'

/** The lobby does not exist, or the player is not in it. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'unknown_lobby'

interface LobbyRequestsOptions {
  readonly cache: LobbyCache
  readonly queues: LobbyCallQueues
  /** Application of a lobby whose response names none. */
  readonly applicationId: () => ApplicationId | undefined
  /** Resolves when the joined lobbies are kept beside the session. Never rejects. */
  readonly stored: () => Promise<void>
}

export class LobbyRequests {
  readonly #api: Api
  readonly #cache: LobbyCache
  readonly #queues: LobbyCallQueues
  readonly #applicationId: () => ApplicationId | undefined
  readonly #stored: () => Promise<void>

  constructor(api: Api, { cache, queues, applicationId, stored }: LobbyRequestsOptions) {
    this.#api = api
    this.#cache = cache
    this.#queues = queues
    this.#applicationId = applicationId
    this.#stored = stored
  }

  /**
   * A join that waited while an identical one completed shares its result. `only`: the lobby to return to. @throws ApiError `unknown_lobby` if
   * the secret leads to another one, which is left again.
   */
  async join(
    secret: string,
    { signal, only, ...options }: JoinOptions & CallOptions & { only?: LobbyId },
  ): Promise<LobbyState> {
    const body = joinBody(secret, options)
    const { text: sent } = body
    const queue = this.#queues.find({ secret })
    const joined = await this.#api.whileCurrent(signal, (until) =>
      queue.enter({ route: `PUT ${ALL}`, signal: until }),
    )
    const same =
      joined?.sent === sent && joined.generation === this.#cache.generation
        ? this.#cache.get(joined.lobbyId)?.toJSON()
        : undefined
    let succeeded = false
    try {
      if (same) return same
      queue.joined = undefined
      const { generation } = this.#cache
      const response = await this.#api.send({ method: 'PUT', route: ALL, ids: {}, body, signal })
      const lobby = this.#read(response.body, `PUT ${ALL}`)
      if (only !== undefined && only !== lobby.id) return await this.#leaveAgain(lobby.id)
      if (generation === this.#cache.generation) this.#cache.putOwn(lobby, secret)
      // Inside the turn: a leave that follows at once still overtakes the joins that wait.
      await this.#stored()
      succeeded = true
      queue.joined = { lobbyId: lobby.id, sent, generation }
      this.#queues.name(queue, lobby.id)
      return lobby
    } finally {
      queue.exit({ succeeded })
      this.#queues.deleteIdle()
    }
  }

  async leave(lobbyId: string, { signal }: CallOptions): Promise<void> {
    requireIds({ lobbyId })
    const queue = this.#queues.find({ lobbyId })
    await this.#api.whileCurrent(signal, (until) =>
      queue.enter({ route: `DELETE ${OWN_MEMBER}`, signal: until }),
    )
    queue.joined = undefined
    const { generation } = this.#cache
    try {
      await this.#request({ method: 'DELETE', route: OWN_MEMBER, ids: { 'lobby.id': lobbyId }, signal })
      this.#drop(lobbyId, generation, 'left')
    } catch (error) {
      throw serverLobby(error)
    } finally {
      queue.exit({ succeeded: false })
      this.#queues.deleteIdle()
    }
  }

  async send(
    lobbyId: string,
    { content, metadata, signal }: CallOptions & { content: string; metadata: Metadata | undefined },
  ): Promise<LobbyMessage> {
    requireIds({ lobbyId })
    const body = messageBody(content, metadata)
    const { generation } = this.#cache
    const response = await this.#request({
      method: 'POST',
      route: MESSAGES,
      ids: { 'lobby.id': lobbyId },
      body,
      signal,
    })
    // The service does not return the metadata: it is only in the live event.
    const written = withMetadata(readMessage(response.body, `POST ${MESSAGES}`), body.value.metadata)
    if (generation === this.#cache.generation) this.#cache.addMessages([written])
    return written
  }

  /** Returns messages newest first. */
  async fetchMessages(
    lobbyId: string,
    limit: number,
    options: CallOptions & Pick<ApiCall, 'priority' | 'repeatsRefused'>,
  ): Promise<LobbyMessage[]> {
    requireIds({ lobbyId })
    requireLimit(limit)
    const call = {
      method: 'GET',
      route: MESSAGES,
      ids: { 'lobby.id': lobbyId },
      query: { limit: String(limit) },
    } as const
    return readMessages((await this.#request({ ...options, ...call })).body, `GET ${MESSAGES}`)
  }

  async link(lobbyId: string, channelId: string | undefined, { signal }: CallOptions): Promise<LobbyState> {
    requireIds({ lobbyId })
    const body = linkBody(channelId)
    const { generation } = this.#cache
    const response = await this.#request({
      method: 'PATCH',
      route: LINK,
      ids: { 'lobby.id': lobbyId },
      body,
      signal,
    })
    const lobby = this.#read(response.body, `PATCH ${LINK}`)
    if (generation === this.#cache.generation) this.#cache.putOwn(lobby)
    return lobby
  }

  /** Returns the code. */
  async createGuildInvite(lobbyId: string, { signal }: CallOptions): Promise<string> {
    requireIds({ lobbyId })
    const { body } = await this.#request({
      method: 'POST',
      route: INVITES,
      ids: { 'lobby.id': lobbyId },
      signal,
    })
    return readInviteCode(body, `POST ${INVITES}`)
  }

  /** A lobby that the player did not ask for. One that the player was in before stays. @throws ApiError `unknown_lobby`. */
  async #leaveAgain(lobbyId: LobbyId): Promise<never> {
    if (!this.#cache.ids().includes(lobbyId))
      await this.#request({ method: 'DELETE', route: OWN_MEMBER, ids: { 'lobby.id': lobbyId } })
    throw new ApiError('unknown_lobby', `PUT ${ALL}`, { status: 0 })
  }

  #read(body: unknown, route: string): LobbyState {
    return readLobby(body, { route, applicationId: this.#applicationId() })
  }

  #drop(lobbyId: string, generation: number, reason: LobbyEndReason): void {
    if (generation === this.#cache.generation) this.#cache.drop(lobbyId, reason)
  }

  /** Removes a lobby from the cache if the service reports it as unknown. */
  async #request(call: ApiCall): ReturnType<Api['send']> {
    const { generation } = this.#cache
    try {
      return await this.#api.send(call)
    } catch (error) {
      if (isGone(error)) this.#drop(call.ids['lobby.id'] ?? '', generation, 'unknown')
      throw error
    }
  }
}

function withMetadata(message: LobbyMessage, sent: Metadata | undefined): LobbyMessage {
  return sent && Object.keys(message.metadata).length === 0 ? { ...message, metadata: { ...sent } } : message
}

/** Leaving is idempotent, so `missing_access` means that a backend created the lobby (docs/interface/lobbies.md#backend-endpoints). */
function serverLobby(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'missing_access') return error
  const { status, apiCode } = error
  const refusal: FoyerError = new ApiError('made_by_server', `DELETE ${OWN_MEMBER}`, {
    status,
    ...(apiCode !== undefined && { apiCode }),
    cause: error,
  })
  return refusal
}

/**
 * Time in ms after a completed join. A leave called within it takes precedence over waiting joins: a component that is mounted twice joins,
 * joins, and leaves when the first join completes.
 */
const PAUSE = 20

/** Completed join. */
interface Joined {
  readonly lobbyId: string
  /** Request body as JSON. */
  readonly sent: string
  /** Generation of the cache at that time. */
  readonly generation: number
}

interface Entry {
  route: string
  signal: AbortSignal | undefined
}

export class LobbyCallQueue {
  readonly #clock: Clock
  #waiting: Deferred<void>[] = []
  #isBusy = false
  #endPause: (() => void) | undefined
  /** Last join, until another request was sent. */
  joined: Joined | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** True if no call waits or runs and no join is stored. */
  get isIdle(): boolean {
    return !this.#isBusy && !this.joined
  }

  /** Resolves when the call may start; `exit` must follow. @returns the join that completed meanwhile. */
  async enter({ route, signal }: Entry): Promise<Joined | undefined> {
    if (signal?.aborted) throw new NetworkError('aborted', route)
    const before = this.joined
    const entry = createDeferred<void>(this.#clock, {
      signals: [signal],
      makeError: () => new NetworkError('aborted', route),
    })
    if (!this.#isBusy) entry.resolve()
    else if (this.#endPause && route.startsWith('DELETE')) this.#waiting.unshift(entry)
    else this.#waiting.push(entry)
    this.#isBusy = true
    await entry.promise
    return this.joined === before ? undefined : this.joined
  }

  /** `succeeded`: a join succeeded, and its caller may want to leave before the next join. */
  exit({ succeeded }: { succeeded: boolean }): void {
    if (succeeded && this.#waiting.length > 0) this.#endPause = this.#clock.after(PAUSE, () => this.#next())
    else this.#next()
  }

  /** Ends the pause after a join. */
  endPause(): void {
    this.#endPause?.()
    if (this.#endPause) this.#next()
  }

  #next(): void {
    this.#endPause = undefined
    let entry = this.#waiting.shift()
    while (entry?.signal.aborted) entry = this.#waiting.shift()
    if (entry) entry.resolve()
    else this.#isBusy = false
  }
}

/** Queues of all lobbies, by secret and by id. */
export class LobbyCallQueues {
  readonly #clock: Clock
  readonly #queues = new Map<string, LobbyCallQueue>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  find(name: { secret: string } | { lobbyId: string }): LobbyCallQueue {
    const key = JSON.stringify(name)
    const queue = this.#queues.get(key) ?? new LobbyCallQueue(this.#clock)
    this.#queues.set(key, queue)
    return queue
  }

  /** Assigns the id of a joined lobby to its queue. */
  name(queue: LobbyCallQueue, lobbyId: string): void {
    this.#queues.set(JSON.stringify({ lobbyId }), queue)
  }

  /** Deletes idle queues. */
  deleteIdle(): void {
    for (const [key, queue] of this.#queues) if (queue.isIdle) this.#queues.delete(key)
  }

  /** Deletes all queues, for another player or a closed client, and ends their pauses. */
  clear(): void {
    for (const queue of this.#queues.values()) queue.endPause()
    this.#queues.clear()
  }
}
