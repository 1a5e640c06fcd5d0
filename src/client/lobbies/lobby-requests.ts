/** Requests of a player about lobbies, and the checks of what they send: create, join, leave, messages and channel links (docs/interface/lobbies.md#player-endpoints). */
import {
  type Issue,
  ApiError,
  ConfigurationError,
  type FoyerError,
  NetworkError,
} from '../../shared/foundation/errors'
import { check, checkRecord, collectIssues, Place, refuse } from '../../shared/foundation/rules'
import { isRecord, isText } from '../../shared/foundation/untrusted-values'
import { CheckedBody } from '../../shared/http/checked-body'
import {
  LobbyIssues,
  type LobbyPlace,
  IDLE_TIMEOUT,
  ID,
  METADATA,
  SECRET,
  validatePlayerBody,
} from '../../shared/lobbies/lobby-rules'
import type { Metadata, LobbyEndReason, LobbyId, LobbyMessage, LobbyState } from './lobby-state'
import type { CallOptions } from '../../shared/foundation/options'
import type { ApplicationId } from '../../shared/foundation/ids'
import type { Api, ApiCall } from '../../shared/http/api'
import type { LobbyCache } from './lobby-cache'
import { readInviteCode, readLobby, readMessage, readMessages } from './read-lobby'
import type { Clock } from '../../shared/foundation/clock'
import { type Deferred, createDeferred } from '../../shared/foundation/async'

// Bodies that a player may send.

/** Options for creating or joining a lobby. */
export interface JoinOptions {
  /** Replaces the lobby's metadata, also of an existing lobby. Default: unchanged. */
  metadata?: Metadata | undefined
  /** Replaces the player's own metadata in the lobby. Default: unchanged. */
  member?: Metadata | undefined
  /** Time in ms until an empty lobby ends: 5,000 to 604,800,000 (docs/interface/lobbies.md#limits). Assumed default: 300,000. */
  idleTimeout?: number | undefined
}

/** Options of lobbies elsewhere, with what this service has instead. */
const ELSEWHERE: readonly (readonly [names: RegExp, remedy: string])[] = [
  [
    /^(?:max|min)_?(?:members|players|clients|size)$|^(?:size|capacity)$/i,
    'A lobby has no size: after the join, look at lobby.members.length, and call lobby.leave() if it is full',
  ],
  [
    /^(?:is_?)?(?:private|public)$|^(?:visibility|password)$/i,
    'Whoever has the secret can join: a lobby is as private as its secret',
  ],
]

/** @throws ConfigurationError `invalid_argument` for options that a game may know from elsewhere. */
export function refuseForeignOptions(options: unknown): void {
  for (const name of Object.keys(isRecord(options) ? options : {})) {
    const [, remedy] = ELSEWHERE.find(([names]) => names.test(name)) ?? []
    if (remedy !== undefined) throw new ConfigurationError('invalid_argument', name, { remedy })
  }
}

/** Number of messages per request (docs/interface/lobbies.md#player-endpoints). */
const LIMIT = { min: 1, max: 200 }

interface Join extends JoinOptions {
  readonly secret: unknown
}

/** Builds the body of a join. @throws ValidationError `invalid_argument`. */
export const joinBody = (secret: unknown, { metadata, member, idleTimeout }: JoinOptions): CheckedBody =>
  CheckedBody.of<Join>(
    { secret, metadata, member, idleTimeout },
    { check: checkJoin, code: 'invalid_argument' },
  ).map(writeJoin)

function checkJoin(join: unknown): readonly Issue[] {
  const at = new Place(new LobbyIssues())
  const { secret, metadata, member, idleTimeout } = isRecord(join) ? join : {}
  checkSecret(secret, at.field('secret'))
  check(metadata, METADATA, at.field('metadata'))
  check(member, METADATA, at.field('member'))
  const seconds = idleTimeout === undefined ? undefined : Number(idleTimeout) / 1000
  if (seconds !== undefined && !(typeof idleTimeout === 'number' && isIdleTimeout(seconds))) {
    const unit =
      typeof idleTimeout === 'number' && isIdleTimeout(idleTimeout)
        ? ` ms: for ${idleTimeout} seconds give ${idleTimeout * 1000}`
        : ' ms'
    at.field('idleTimeout').add(
      'out_of_range',
      { min: IDLE_TIMEOUT.min * 1000, max: IDLE_TIMEOUT.max * 1000 },
      { unit },
    )
  }
  return at.state.issues
}

const writeJoin = ({ secret, metadata, member, idleTimeout }: Join) => ({
  secret,
  ...(metadata && { lobby_metadata: metadata }),
  ...(member && { member_metadata: member }),
  ...(idleTimeout !== undefined && { idle_timeout_seconds: Math.ceil(idleTimeout / 1000) }),
})

const isIdleTimeout = (seconds: number): boolean => seconds >= IDLE_TIMEOUT.min && seconds <= IDLE_TIMEOUT.max

interface Draft {
  readonly content: unknown
  readonly metadata: Metadata | undefined
}

/** An invitation, and its link, are more than the secret. */
function checkSecret(secret: unknown, at: LobbyPlace): void {
  if (isRecord(secret) && typeof secret['secret'] === 'string')
    at.add('wrong_type', { expected: 'a string: pass invitation.secret' })
  else if (isText(secret, JOIN_LINK))
    at.add('wrong_type', { expected: 'the secret in the link: client.takeInvitation() returns it' })
  else if (secret === null || secret === undefined) at.add('wrong_type', { expected: NO_INVITATION })
  else check(secret, SECRET, at)
}

const NO_INVITATION =
  'a string. Without a link, takeInvitation() returns null: pass invitation?.secret ?? crypto.randomUUID()'
const JOIN_LINK = /^[a-z][a-z\d+.-]{0,30}:\/\/.*join(?:=|%3D)/i

/** Builds the body of a message. @throws ValidationError `invalid_argument`. */
export const messageBody = (content: unknown, metadata: Metadata | undefined): CheckedBody<Draft> =>
  CheckedBody.of<Draft>(
    { content, metadata },
    { check: (draft) => validatePlayerBody(draft, 'message'), code: 'invalid_argument' },
  ).map((draft) => ({ ...draft, metadata: draft.metadata ?? undefined }))

/** Builds the body of a link; without a channel it removes one. @throws ValidationError `invalid_argument`. */
export const linkBody = (channelId: string | undefined): CheckedBody =>
  CheckedBody.of(
    { channelId },
    {
      check: (link) =>
        collectIssues(
          new LobbyIssues(),
          (at) => void checkRecord(link, { channelId: { ...ID, required: false } }, at),
        ),
      code: 'invalid_argument',
    },
  ).map((link) => ({ channel_id: link.channelId }))

/** @throws ValidationError `invalid_argument`. */
export function requireIds(ids: Readonly<Record<string, unknown>>): void {
  const at = new Place(new LobbyIssues())
  for (const [name, id] of Object.entries(ids)) check(id, ID, at.field(name))
  refuse('invalid_argument', at.state.issues)
}

/** @throws ValidationError `invalid_argument`. */
export function requireLimit(limit: unknown): void {
  const at = new Place(new LobbyIssues())
  if (!Number.isInteger(limit) || Number(limit) < LIMIT.min || Number(limit) > LIMIT.max)
    at.field('limit').add('out_of_range', LIMIT, { unit: '' })
  refuse('invalid_argument', at.state.issues)
}

// The requests.

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
