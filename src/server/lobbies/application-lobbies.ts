/** Lobbies managed by an application's backend (docs/interface/lobbies.md#backend-endpoints). */
import { PlayerTokenError } from '../players/player-token-error'
import { ConfigurationError, ProtocolError, ApiError } from '../../shared/foundation/errors'
import { checkOptions, requireRecord } from '../../shared/foundation/options'
import { requireFunction, takeOptions } from '../../shared/foundation/take-options'
import { isSnowflake, type Snowflake } from '../../shared/foundation/ids'
import type { ApiCall, Credentials } from '../../shared/http/api'
import type { HttpResponse } from '../../shared/http/http-client'
import { CheckedBody } from '../../shared/http/checked-body'
import type { LimitedApi } from '../../shared/http/limited-api'
import type { KeyedMutex } from '../../shared/rate-limit/shared/keyed-mutex'
import type { CallerApi, ServiceBudget } from '../budget/service-budget'
import type {
  Lobby,
  LobbyBody,
  LobbyMember,
  LobbyMemberBody,
  LobbyMemberUpdate,
  LobbyMetadata,
} from '../../shared/wire/lobby'
import { decodeInvite, decodeLobby, decodeMember, decodeMembers } from './decode-lobby'
import { check, collectIssues, refuse } from '../../shared/foundation/rules'
import { LobbyIssues, ID } from '../../shared/lobbies/lobby-rules'
import {
  validateLobby,
  validateLobbyMember,
  validateLobbyMembers,
  validateModeration,
} from './validate-lobby'
import { type ChangeMetadata, requireChange, updateMetadata } from './update-metadata'
import { ownFields } from '../../shared/foundation/untrusted-values'

/** Options of every lobby call. */
export interface LobbyCallOptions {
  /** Aborts the call, waiting or in progress, with `aborted`. */
  signal?: AbortSignal | undefined
  /**
   * Priority among calls that wait for the same limit, with weights 8, 4 and 1. Calls with `low`, and strangers, leave three tenths of the
   * application's limit to others. Default: `normal`.
   */
  priority?: 'high' | 'normal' | 'low' | undefined
  /**
   * Id of the player who causes the call: it takes from what a player may cause, 30 calls at once and 5 in each further second, and rejects with
   * `rate_limited` beyond. Default: nobody, the game itself calls.
   */
  onBehalfOf?: string | undefined
}

/** Application that calls. */
export interface LobbyCaller {
  readonly applicationId: Snowflake
  readonly credentials: Credentials
  readonly budget: Pick<ServiceBudget, 'clientFor'>
}

/** A call. It names all of its fields, since one that is missing could be inherited. */
interface LobbyCall extends Pick<ApiCall, 'method' | 'route' | 'ids'> {
  readonly body: CheckedBody | undefined
}

const CALL_OPTIONS: readonly (keyof LobbyCallOptions)[] = ['signal', 'priority', 'onBehalfOf']
const MODERATION_ARGS = ['messageId', 'metadata']

const ALL = '/lobbies'
const ONE = '/lobbies/{lobby.id}'
const MEMBER = '/lobbies/{lobby.id}/members/{user.id}'
const INVITES = '/lobbies/{lobby.id}/members/{user.id}/invites'
const MODERATION = '/lobbies/{lobby.id}/messages/{message.id}/moderation-metadata'
const BULK = '/lobbies/{lobby.id}/members/bulk'

/**
 * Lobby methods of the application. Every method validates its arguments before sending.
 *
 * @throws ValidationError with all issues: `invalid_argument` for ids, `invalid_body` for bodies.
 * @throws RateLimitError, ApiError (`unknown_lobby`, `unknown_user`, …), NetworkError or ProtocolError.
 */
export class ApplicationLobbies {
  readonly #api: Pick<LimitedApi & KeyedMutex, 'api' | 'runExclusive'>
  readonly #applicationId: Snowflake
  readonly #credentials: Credentials
  readonly #budget: LobbyCaller['budget']
  readonly #listeners = new Set<(lobbyId: string) => void>()

  constructor(
    api: Pick<LimitedApi & KeyedMutex, 'api' | 'runExclusive'>,
    { applicationId, credentials, budget }: LobbyCaller,
  ) {
    this.#api = api
    this.#applicationId = applicationId
    this.#credentials = credentials
    this.#budget = budget
  }

  /**
   * Calls a listener with the id of each lobby after each call of this object that may have changed it, also one that rejects: its
   * response may be lost, but not the change. Returns an unsubscribe function.
   *
   * @throws ConfigurationError `invalid_argument` without a bot token: no call of this object has access.
   */
  onChanged(listener: (lobbyId: string) => void): () => void {
    this.#requireBot()
    requireFunction(
      listener,
      'onChanged: listener',
      'Pass a function, for example (lobbyId) => hub.changed(lobbyId)',
    )
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Creates a lobby with the given members. Players cannot join or leave it themselves (docs/interface/lobbies.md#backend-endpoints).
   *
   * @throws ProtocolError `malformed_response`, with the new lobby's id as `resourceId` if that could be read: the lobby exists.
   */
  async create(given?: LobbyBody, options?: LobbyCallOptions): Promise<Lobby> {
    const body = CheckedBody.of(given ?? {}, { check: (own) => validateLobby(own, 'create') })
    const response = await this.#send({ method: 'POST', route: ALL, ids: {}, body }, options)
    try {
      const lobby = this.#decode(response, `POST ${ALL}`)
      this.#report(lobby.id)
      return lobby
    } catch (error) {
      if (error instanceof ProtocolError && error.resourceId !== undefined) this.#report(error.resourceId)
      throw error
    }
  }

  /** Reads a lobby. */
  async get(lobbyId: string, options?: LobbyCallOptions): Promise<Lobby> {
    const response = await this.#send(
      { method: 'GET', route: ONE, ids: requireIds({ lobbyId }), body: undefined },
      options,
    )
    return this.#decode(response, `GET ${ONE}`)
  }

  /**
   * Resolves with the member if the player is in the lobby, as the service states it now: for the room of a game's own server. The read is
   * on behalf of this player, unless the options name another one.
   *
   * @throws PlayerTokenError `not_a_member`, also for an invalid lobby id, which a player may send, and for a lobby that does not exist.
   */
  async assertMember(lobbyId: string, playerId: string, options?: LobbyCallOptions): Promise<LobbyMember> {
    requireIds({ playerId })
    return findMember(playerId, async () =>
      isSnowflake(lobbyId) ? this.get(lobbyId, { onBehalfOf: playerId, ...options }) : undefined,
    )
  }

  /**
   * Replaces the given fields as a whole; absent fields stay. `members` removes everyone who is not in the list
   * (docs/interface/lobbies.md#backend-endpoints). For single metadata keys use `updateMetadata`, for single members `putMember`.
   */
  async edit(lobbyId: string, changes: LobbyBody, options?: LobbyCallOptions): Promise<Lobby> {
    const ids = requireIds({ lobbyId })
    const body = CheckedBody.of(changes, { check: (own) => validateLobby(own, 'edit') })
    const response = await this.#send({ method: 'PATCH', route: ONE, ids, body }, options)
    return this.#decode(response, `PATCH ${ONE}`)
  }

  /** Deletes a lobby. Succeeds if it is deleted already (docs/interface/lobbies.md#backend-endpoints). */
  async delete(lobbyId: string, options?: LobbyCallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', route: ONE, ids: requireIds({ lobbyId }), body: undefined }, options)
  }

  /** Adds a member, or updates the given fields of an existing one (docs/interface/lobbies.md#backend-endpoints). */
  async putMember(
    lobbyId: string,
    member: LobbyMemberBody & { id: string },
    options?: LobbyCallOptions,
  ): Promise<LobbyMember> {
    if (typeof member === 'string')
      throw new ConfigurationError('invalid_argument', 'putMember: member', {
        remedy:
          'The second argument is an object with the id of the player: putMember(lobbyId, { id: player.id })',
      })
    const { id: userId, ...fields } = ownFields({ ...member })
    const ids = requireIds({ lobbyId, userId })
    const body = CheckedBody.of(fields, { check: validateLobbyMember })
    const response = await this.#send({ method: 'PUT', route: MEMBER, ids, body }, options)
    return decodeMember(response.body, `PUT ${MEMBER}`)
  }

  /**
   * Removes a member. Succeeds if the user is not a member; rejects with `unknown_lobby` if the lobby does not exist
   * (docs/interface/lobbies.md#backend-endpoints).
   */
  async removeMember(lobbyId: string, userId: string, options?: LobbyCallOptions): Promise<void> {
    await this.#send(
      { method: 'DELETE', route: MEMBER, ids: requireIds({ lobbyId, userId }), body: undefined },
      options,
    )
  }

  /**
   * Adds and removes up to 25 members in one call. Resolves with the added ones: the service silently omits users who cannot join
   * (docs/interface/lobbies.md#backend-endpoints).
   */
  async updateMembers(
    lobbyId: string,
    members: readonly LobbyMemberUpdate[],
    options?: LobbyCallOptions,
  ): Promise<LobbyMember[]> {
    const ids = requireIds({ lobbyId })
    const body = CheckedBody.of(members, { check: validateLobbyMembers })
    const response = await this.#send({ method: 'POST', route: BULK, ids, body }, options)
    return decodeMembers(response.body, `POST ${BULK}`)
  }

  /**
   * Creates an invite for a member to the guild of the lobby's linked channel (_assumed_: usable once, for an hour). Resolves with its code.
   */
  async createInvite(lobbyId: string, userId: string, options?: LobbyCallOptions): Promise<{ code: string }> {
    const { body } = await this.#send(
      { method: 'POST', route: INVITES, ids: requireIds({ lobbyId, userId }), body: undefined },
      options,
    )
    return decodeInvite(body, `POST ${INVITES}`)
  }

  /**
   * Attaches metadata of the game's moderation to a message; members see it as `moderationMetadata` (_assumed_: at most 5 keys of 1,024
   * characters, with values of 2,000). Replaces earlier metadata.
   */
  async setModerationMetadata(
    lobbyId: string,
    moderation: { messageId: string; metadata: LobbyMetadata },
    options?: LobbyCallOptions,
  ): Promise<void> {
    requireRecord(moderation, 'moderation: { messageId, metadata }')
    const { messageId, metadata } = takeOptions(moderation, MODERATION_ARGS)
    const ids = requireIds({ lobbyId, messageId })
    const body = CheckedBody.of(metadata, { check: validateModeration })
    await this.#send({ method: 'PUT', route: MODERATION, ids, body }, options)
  }

  /**
   * Changes single keys of a lobby's metadata: reads it, calls `change` for the keys to set (string) and to remove (null), writes all
   * metadata, and reads again to verify.
   *
   * Calls of this method exclude each other, within one client and among all clients that share a `rateLimitStore`. No call starts while
   * the store is unavailable, and none holds the lock longer than 10 s. After an interfering write of another kind, the update is repeated
   * with fresh metadata, three attempts in total, so `change` may be called repeatedly. Resolves with the lobby as last read.
   *
   * @throws RateLimitError if the lock is not available within `maxWait`.
   * @throws ConfigurationError `contended` after three interfering writes.
   * @throws the exceptions of `change`.
   */
  async updateMetadata(lobbyId: string, change: ChangeMetadata, given?: LobbyCallOptions): Promise<Lobby> {
    const { signal, ...options } = checkOptions(given, CALL_OPTIONS)
    requireIds({ lobbyId })
    requireChange(change)
    this.#requireBot()
    return this.#api.runExclusive(
      `metadata ${lobbyId}`,
      ({ signal: lockSignal, requireHeld }) => {
        const all = { ...options, signal: lockSignal }
        const write = async (metadata: LobbyMetadata) => {
          requireHeld()
          return this.edit(lobbyId, { metadata }, all)
        }
        return updateMetadata({ read: () => this.get(lobbyId, all), write }, change)
      },
      { signal },
    )
  }

  /**
   * The service refuses other credentials here (docs/interface/lobbies.md#authentication); fails before a request counts against a limit.
   */
  #requireBot(): void {
    if (this.#credentials.kind !== 'application') return
    throw new ConfigurationError('invalid_argument', 'credentials', {
      remedy: 'Lobbies need botToken(…): client credentials have no access',
    })
  }

  #apiFor(playerId: string): Pick<CallerApi, 'send'> {
    const { onBehalfOf: id } = requireIds({ onBehalfOf: playerId })
    return this.#budget.clientFor({ kind: 'player', id: id ?? playerId }, { credentials: this.#credentials })
  }

  #decode({ body }: HttpResponse, route: string): Lobby {
    return decodeLobby(body, { route, applicationId: this.#applicationId })
  }

  async #send({ method, route, ids, body }: LobbyCall, options?: LobbyCallOptions): Promise<HttpResponse> {
    const { signal, priority, onBehalfOf } = checkOptions(options, CALL_OPTIONS)
    this.#requireBot()
    const api = onBehalfOf === undefined ? this.#api.api : this.#apiFor(onBehalfOf)
    const mayBeEmpty = method === 'DELETE' || route === MODERATION
    const answered = api.send({ method, route, ids, body, mayBeEmpty, signal, priority })
    const sent = 'user.id' in ids ? answered.catch(withOrder(`${method} ${route}`)) : answered
    const { 'lobby.id': lobbyId } = ids
    if (method === 'GET' || lobbyId === undefined) return sent
    // Also after an error: the response may be lost, but not the change.
    return sent.finally(() => this.#report(lobbyId))
  }

  #report(lobbyId: string): void {
    for (const listener of this.#listeners) listener(lobbyId)
  }
}

const ORDER =
  'It may have ended, or the ids are swapped: the first argument is the id of the lobby, the second that of the player'

/** A lobby that does not exist may be the id of a player. @throws the error, with the order of the ids. */
const withOrder =
  (route: string) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError) || error.code !== 'unknown_lobby') throw error
    const { status, apiCode, issues, emulatorRule } = error
    throw new ApiError('unknown_lobby', route, { status, apiCode, issues, emulatorRule, remedy: ORDER })
  }

const NAMES: Readonly<Record<string, string>> = {
  lobbyId: 'lobby.id',
  userId: 'user.id',
  messageId: 'message.id',
}

/** Validates ids and maps them to route parameters. */
function requireIds(given: Readonly<Record<string, string>>): Record<string, string> {
  const ids: Record<string, string> = {}
  let isRight = true
  for (const [name, id] of Object.entries(given)) {
    isRight &&= isSnowflake(id)
    ids[NAMES[name] ?? name] = id
  }
  // Only ids with an issue get a list of them, which would take a notable part of a call's time.
  if (!isRight) refuseIds(given)
  return ids
}

/** @throws ValidationError with all issues. */
function refuseIds(given: Readonly<Record<string, unknown>>): void {
  const issues = collectIssues(new LobbyIssues(), (at) => {
    for (const [name, id] of Object.entries(given)) check(id, ID, at.field(name))
  })
  refuse('invalid_argument', issues)
}

/** `read` resolves with undefined if there is no such lobby. @throws PlayerTokenError `not_a_member`. @throws the other errors of `read`. */
async function findMember(playerId: string, read: () => Promise<Lobby | undefined>): Promise<LobbyMember> {
  const lobby = await read().catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'unknown_lobby') return undefined
    throw error
  })
  const member = lobby?.members.find(({ id }) => id === playerId)
  if (!member) throw new PlayerTokenError('not_a_member')
  return member
}
