/** `client.lobbies`: the lobbies that the player is in, and the guilds to link them to. */
import { type CallOptions, bindMethods } from '../../shared/foundation/options'
import { LobbyList } from '../lobbies/lobby-list'
import type { Guild, GuildChannel } from './player-calls'
import type { ClientBase } from '../context/client-base'
import type { PlayerParts } from './player-parts'
import type { Lobby } from '../lobbies/lobby'
import type { MetadataKeys } from '../lobbies/lobby-state'

/**
 * The lobbies that this client has joined, while the player is in them. The service has no endpoint for players to list others.
 *
 * @example
 * ```ts
 * for (const lobby of client.lobbies) console.log(lobby.id, lobby.members.length)
 * ```
 */
export class Lobbies<Keys extends MetadataKeys = MetadataKeys> extends LobbyList<Lobby<Keys>> {
  readonly #client: ClientBase
  readonly #player: PlayerParts

  /** @internal */
  constructor(client: ClientBase, player: PlayerParts) {
    super(() => player.openedLobbies)
    this.#client = client
    this.#player = player
    bindMethods(this)
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
    return this.#client.call('lobbies', [lobby], async (...call) =>
      (await this.#player.lobbies()).add(...call),
    )
  }

  /**
   * Returns the guilds of the player (`GET /users/@me/guilds`), for example to choose a channel for `lobby.link`. Requires the scope
   * `guilds`.
   *
   * @throws SessionError `signed_out`. @throws ApiError `missing_scope`. @throws NetworkError, RateLimitError.
   * @throws ProtocolError `malformed_response`.
   */
  fetchGuilds(options?: CallOptions): Promise<Guild[]> {
    return this.#client.call('user', [options], async (...call) =>
      (await this.#player.calls()).fetchGuilds(...call),
    )
  }

  /**
   * Returns the channels of a guild that the player sees (`GET /guilds/<guild_id>/channels`), by position. Requires the scope `guilds`.
   * Rejects like `fetchGuilds`.
   *
   * @throws ValidationError `invalid_argument`. @throws ApiError `missing_access`, `unknown_guild`.
   */
  fetchGuildChannels(guildId: string, options?: CallOptions): Promise<GuildChannel[]> {
    return this.#client.call('user', [guildId, options], async (...call) =>
      (await this.#player.calls()).fetchGuildChannels(...call),
    )
  }
}
