/** The lobbies of an application, as its backend makes and keeps them (S:257-266). */
import { ConfigurationError, type Issue, ValidationError } from '../foundation/errors'
import { isSnowflake } from '../foundation/ids'
import type { ApiCall, ApiAnswer } from '../http/api'
import type { Credentials } from '../http/credentials'
import type { LimitedApi } from '../http/limited-api'
import type { KeyedMutex } from '../rate-limit/shared/keyed-mutex'
import type { Lobby, LobbyBody, LobbyMember, LobbyMemberBody, LobbyMemberUpdate } from '../wire/lobby'
import { decodeLobby, decodeMember, decodeMembers } from './decode-application-lobby'
import { LobbyIssues } from './lobby-issue'
import { validateLobby, validateLobbyMember, validateLobbyMembers } from './lobby-validation'
import { checkId } from './member-fields'
import { type ChangeMetadata, updateMetadata } from './metadata-update'

export interface LobbyCallOptions {
  /** Frees a call that waits or is under way. */
  signal?: AbortSignal
  /** Who goes first where many wait for one limit: turns of 8 to 4 to 1. Default `normal`. */
  priority?: 'high' | 'normal' | 'low'
}

const ALL = '/lobbies'
const ONE = '/lobbies/{lobby.id}'
const MEMBER = '/lobbies/{lobby.id}/members/{user.id}'
const BULK = '/lobbies/{lobby.id}/members/bulk'

/**
 * Every method checks ids and input before it sends anything, and rejects with a ValidationError (`invalid_argument` for ids, `invalid_body`)
 * that holds all issues; then with RateLimitError, ApiError (`unknown_lobby`, `unknown_user`, …), NetworkError or ProtocolError.
 */
export class ApplicationLobbies {
  readonly #api: Pick<LimitedApi & KeyedMutex, 'api' | 'runExclusive'>

  readonly #kind: Credentials['kind']

  constructor(api: Pick<LimitedApi & KeyedMutex, 'api' | 'runExclusive'>, { kind }: Pick<Credentials, 'kind'> = {}) {
    this.#api = api
    this.#kind = kind
  }

  /** Makes a lobby with the members that are given. Players can neither join it nor leave it themselves (S:261). */
  async create(given?: LobbyBody, options?: LobbyCallOptions): Promise<Lobby> {
    const body = given ?? {}
    refuse('invalid_body', validateLobby(body, 'create'))
    const answer = await this.#send({ method: 'POST', route: ALL, ids: {}, body }, options)
    return decodeLobby(answer.body, `POST ${ALL}`)
  }

  async get(lobbyId: string, options?: LobbyCallOptions): Promise<Lobby> {
    const answer = await this.#send({ method: 'GET', route: ONE, ids: requireIds({ lobbyId }) }, options)
    return decodeLobby(answer.body, `GET ${ONE}`)
  }

  /**
   * Replaces each field that is given as a whole; what is absent stays. `members` removes whoever is not in the list (S:262).
   * For single keys of the metadata see `updateMetadata`, for single members `putMember`.
   */
  async edit(lobbyId: string, changes: LobbyBody, options?: LobbyCallOptions): Promise<Lobby> {
    const ids = requireIds({ lobbyId })
    refuse('invalid_body', validateLobby(changes, 'edit'))
    const answer = await this.#send({ method: 'PATCH', route: ONE, ids, body: changes }, options)
    return decodeLobby(answer.body, `PATCH ${ONE}`)
  }

  /** Ends a lobby. One that has ended already is no error (S:263). */
  async delete(lobbyId: string, options?: LobbyCallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', route: ONE, ids: requireIds({ lobbyId }) }, options)
  }

  /** Adds a member, or sets the fields that are given of one who is there; the others stay (S:265). */
  async putMember(lobbyId: string, member: LobbyMemberBody & { id: string }, options?: LobbyCallOptions): Promise<LobbyMember> {
    const { id: userId, ...body } = { ...member }
    const ids = requireIds({ lobbyId, userId })
    refuse('invalid_body', validateLobbyMember(body))
    const answer = await this.#send({ method: 'PUT', route: MEMBER, ids, body }, options)
    return decodeMember(answer.body, `PUT ${MEMBER}`)
  }

  /** Removes a member. One who is none is no error; a lobby that is none is (S:266). */
  async removeMember(lobbyId: string, userId: string, options?: LobbyCallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', route: MEMBER, ids: requireIds({ lobbyId, userId }) }, options)
  }

  /**
   * Puts and removes up to 25 members in one call. Resolves with those that were put: the service leaves out, without a word, whoever may
   * not be in the lobby (supplement A.2.2).
   */
  async updateMembers(lobbyId: string, members: readonly LobbyMemberUpdate[], options?: LobbyCallOptions): Promise<LobbyMember[]> {
    const ids = requireIds({ lobbyId })
    refuse('invalid_body', validateLobbyMembers(members))
    const answer = await this.#send({ method: 'POST', route: BULK, ids, body: members }, options)
    return decodeMembers(answer.body, `POST ${BULK}`)
  }

  /**
   * Changes single keys of a lobby's metadata: reads it, asks `change` what to set (a text) and what to remove (null), writes the whole, and
   * reads again to see that it holds. Writers that use this method take turns: those of one client, and those of all clients that share a
   * `rateLimitStore`. No turn begins while that is away, and none is longer than 10 s. Against other writers nothing is atomic: where one came between, it is done again from fresh metadata, three times in all.
   * `change` may be asked more than once. Resolves with the lobby as it was read last.
   * @throws RateLimitError when no turn comes within `maxWait`.
   * @throws ConfigurationError `contended` when another writer came between each time.
   * @throws whatever `change` throws.
   */
  async updateMetadata(lobbyId: string, change: ChangeMetadata, given?: LobbyCallOptions): Promise<Lobby> {
    const { signal, ...options } = { ...given }
    requireIds({ lobbyId })
    this.#requireBot()
    return this.#api.runExclusive(
      `metadata ${lobbyId}`,
      (inTurn) => {
        const all = { ...options, signal: inTurn }
        return updateMetadata({ read: () => this.get(lobbyId, all), write: (metadata) => this.edit(lobbyId, { metadata }, all) }, change)
      },
      { signal },
    )
  }

  /** The service refuses every other credential here (S:257): said before a request and its limit are spent. */
  #requireBot(): void {
    if (this.#kind !== 'application') return
    throw new ConfigurationError('invalid_argument', 'credentials', {
      remedy: 'Lobbies need botToken(…): client credentials cannot reach them',
    })
  }

  async #send({ method, route, ids, body }: ApiCall, options?: LobbyCallOptions): Promise<ApiAnswer> {
    const { signal, priority } = { ...options }
    this.#requireBot()
    return this.#api.api.send({ method, route, ids, body, signal, priority })
  }
}

const NAMES: Readonly<Record<string, string>> = { lobbyId: 'lobby.id', userId: 'user.id' }

/** By their names in a route. */
function requireIds(given: Readonly<Record<string, string>>): Record<string, string> {
  const ids: Record<string, string> = {}
  let issues: LobbyIssues | undefined
  for (const name in given) {
    const id = given[name]
    if (isSnowflake(id)) ids[NAMES[name] ?? name] = id
    else checkId((issues ??= new LobbyIssues()), id, name)
  }
  if (issues) refuse('invalid_argument', issues.list)
  return ids
}

/** Warnings stop nothing. */
function refuse(code: 'invalid_argument' | 'invalid_body', issues: readonly Issue[]): void {
  const errors = issues.filter(({ level }) => level === 'error')
  if (errors.length > 0) throw new ValidationError(code, errors)
}
