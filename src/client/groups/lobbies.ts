/** `client.lobbies`: the lobbies that the player is in, and the guilds to link them to. */
import type { CallOptions } from '../../shared/foundation/options'
import { bindMethods } from '../../shared/foundation/bind-methods'
import type { Guild, GuildChannel } from '../lobbies/list-guilds'
import type { LobbyState } from '../lobbies/lobby-state'
import type { UserMethods } from './user-methods'
import type { RunInModule } from './run-in-module'
import type { Lobby } from '../lobbies/lobby'
import type { MetadataKeys } from '../lobbies/metadata-keys'

/** Reads the lobbies of this moment. */
export interface LobbySource<L> {
  get(id: string): L | undefined
  all(): L[]
}

interface LobbiesParts<L> {
  run: RunInModule<Pick<UserMethods, 'fetchGuilds' | 'fetchGuildChannels'>>
  add: (lobby: unknown) => Promise<Lobby>
  source: () => LobbySource<L> | undefined
}

/**
 * The lobbies that this client has joined, while the player is in them. The service has no endpoint for players to list others.
 *
 * @example
 * ```ts
 * for (const lobby of client.lobbies) console.log(lobby.id, lobby.members.length)
 * ```
 */
export class Lobbies<
  Keys extends MetadataKeys = MetadataKeys,
  L extends { toJSON(): LobbyState } = Lobby<Keys>,
> implements Iterable<L> {
  readonly #source: () => LobbySource<L> | undefined
  readonly #run: RunInModule<Pick<UserMethods, 'fetchGuilds' | 'fetchGuildChannels'>>
  readonly #add: (lobby: unknown) => Promise<Lobby>

  /** @internal */
  constructor({ run, add, source }: LobbiesParts<L>) {
    this.#run = run
    this.#add = add
    this.#source = source
    bindMethods(this)
  }

  /** Number of lobbies. */
  get size(): number {
    return this.#source()?.all().length ?? 0
  }

  /** Returns the lobby with this id, or undefined if this client is not in it. */
  get(lobbyId: string): L | undefined {
    return this.#source()?.get(lobbyId)
  }

  /**
   * Adds a lobby of the player that the game's backend has created, from the JSON of that lobby: `ApplicationClient.lobbies.create` and
   * `read` return it; `id`, `application_id` and this player in `members` are enough. The service tells a player of no such lobby. Needed
   * without `lobbyUpdates` only, which bring it by themselves.
   *
   * @throws ConfigurationError `invalid_argument` for other data, or a lobby without this player. @throws SessionError `signed_out`.
   * @example
   * ```ts
   * const response = await client.backend.fetch('/match', { method: 'POST' })
   * const lobby = await client.lobbies.add(await response.json())
   * await lobby.send('Hello')
   * ```
   */
  add(lobby: unknown): Promise<Lobby<Keys>> {
    return this.#add(lobby)
  }

  /** Iterates over the lobbies, in the order in which they were joined. */
  [Symbol.iterator](): Iterator<L> {
    return (this.#source()?.all() ?? [])[Symbol.iterator]()
  }

  /**
   * Returns the guilds of the player (`GET /users/@me/guilds`), for example to choose a channel for `lobby.link`. Requires the scope
   * `guilds`.
   *
   * @throws SessionError `signed_out`. @throws ApiError `missing_scope`. @throws NetworkError, RateLimitError.
   * @throws ProtocolError `malformed_response`.
   */
  fetchGuilds(options?: CallOptions): Promise<Guild[]> {
    return this.#run((module) => module.fetchGuilds(options))
  }

  /**
   * Returns the channels of a guild that the player sees (`GET /guilds/<guild_id>/channels`), by position. Requires the scope `guilds`.
   * Rejects like `fetchGuilds`.
   *
   * @throws ValidationError `invalid_argument`. @throws ApiError `missing_access`, `unknown_guild`.
   */
  fetchGuildChannels(guildId: string, options?: CallOptions): Promise<GuildChannel[]> {
    return this.#run((module) => module.fetchGuildChannels(guildId, options))
  }

  /** The states of all lobbies as plain data. */
  toJSON(): LobbyState[] {
    return Array.from(this, (lobby) => lobby.toJSON())
  }
}
