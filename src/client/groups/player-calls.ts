/** Everything with the player's own rate limits, as one part: requests of the signed-in player, reads of the player's account and guilds, and the lobbies. */
import { storeOfApplication } from '../../shared/rate-limit/store-of-application'
import { type CallOptions, checkOptions } from '../../shared/foundation/options'
import { ConfigurationError } from '../../shared/foundation/errors'
import { isRecord, isText } from '../../shared/foundation/untrusted-values'
import { type UserId, isSnowflake, type Snowflake } from '../../shared/foundation/ids'
import { reveal, type Secret } from '../../shared/foundation/secret'
import type { Credentials, Api } from '../../shared/http/api'
import { avatarUrl } from '../../shared/service/avatar-url'
import type { ServiceConfig } from '../../shared/service/service-config'
import { userFromResponse } from '../../shared/tokens/session-user'
import { checkResponse, ID, type FieldRule, TEXT, NUMBER } from '../../shared/http/check-response'
import type { ClientContext } from '../sign-in/sign-in-client'
import { Caller } from '../session/caller'
import { factsOf } from '../../shared/foundation/log-entry'
import { fetchTransport } from '../../shared/http/http-client'
import { createLimitedApi, type LimitedApi } from '../../shared/http/limited-api'
import type { RateLimitUsage } from '../../shared/rate-limit/limiter-events'
import type { RateLimitStore } from '../../shared/rate-limit/store-port'
import { bearerOf } from '../../shared/tokens/kept-token'
import type { PageServices } from '../context/client-options'
import type { SessionRecord } from '../session/session'
import { requireIds } from '../lobbies/lobby-requests'
import { type GuildMember, type PlayerPurchase, readMembership, readPurchases } from './player-reads'

/** User account as returned by `GET /users/@me`. */
export interface CurrentUser {
  /** User id. */
  id: UserId
  /** Unique user name. */
  username: string
  /** Display name, or null if the user has set none. */
  globalName: string | null
  /** Address of the picture; a default picture for a user without one. */
  avatarUrl: string
}

const USER: FieldRule<{ id: UserId; username: string; global_name?: string | null; avatar?: unknown }> = {
  fields: { id: ID, username: TEXT, global_name: { ...TEXT, isOptional: true } },
}

/** Options of `fetchCurrentUser`. */
export interface CurrentUserOptions extends CallOptions {
  /** Token whose user is read. Default: the session's. */
  accessToken?: Secret | string | undefined
}

export { PlayerLobbies } from './player-lobbies'

/** Reads the user of an access token, with limits of its own. */
async function fetchUserOf(
  context: ClientContext,
  accessToken: Secret | string,
  signal?: AbortSignal,
): Promise<CurrentUser> {
  const limited = createUserApi(context, credentialsOf(accessToken))
  try {
    return decodeUser(await readUser(limited.api, signal), context.options.service)
  } finally {
    limited.close()
  }
}

async function readUser(api: Api, signal: AbortSignal | undefined): Promise<unknown> {
  return (await api.send({ method: 'GET', route: '/users/@me', ids: {}, signal })).body
}

function credentialsOf(accessToken: Secret | string): Credentials {
  return { header: async () => `Bearer ${reveal(accessToken)}`, renew: async () => false }
}

/** A newer name than the one of the sign-in. */
async function keep({ sessions, options }: ClientContext, id: UserId, body: unknown): Promise<void> {
  if (isRecord(body))
    await (await sessions()).currentSession.keepUser(id, userFromResponse(body, options.service))
}

function decodeUser(body: unknown, service: ServiceConfig): CurrentUser {
  const { id, username, global_name: globalName = null, avatar } = checkResponse(body, 'GET /users/@me', USER)
  return {
    id,
    username,
    globalName,
    avatarUrl: avatarUrl(service, { id, avatar: typeof avatar === 'string' ? avatar : null }),
  }
}

/** Maximum wait in ms for a rate limit; short, because a player is waiting. */
const MAX_WAIT = 5000

export class PlayerCalls {
  /** Services of the page, if the client has one. */
  readonly page: PageServices | undefined
  readonly #context: ClientContext
  readonly #limited: LimitedApi

  constructor(context: ClientContext, page: PageServices | undefined) {
    const { applicationId, service, clock, rateLimitStore } = context.options
    const store =
      storeOfApplication(rateLimitStore, `${applicationId}`) ??
      page?.openRateLimitStore({ name: `${applicationId} ${service.host}`, clock })
    const limited = createUserApi(context, playerCredentials(context, new Caller(undefined)), store)
    this.page = page
    this.#context = context
    this.#limited = limited
    if (context.closeSignal.aborted) limited.close()
    context.closeSignal.addEventListener('abort', () => limited.close())
  }

  /** Sends requests with the token of the caller. */
  as(caller: Caller, change?: Parameters<Api['as']>[1]): Api {
    return this.#limited.api.as(playerCredentials(this.#context, caller), change)
  }

  /** Usage of every rate limit. */
  get usage(): RateLimitUsage[] {
    return this.#limited.limits()
  }

  clearBlocks({ userId }: Caller): Promise<void> {
    return this.#limited.clearBlocks(userId)
  }

  /** Reads the user of a token, by default of the caller's session, whose names the session then keeps. */
  async fetchCurrentUser(caller: Caller, options: CurrentUserOptions | undefined): Promise<CurrentUser> {
    const { accessToken, signal } = checkOptions(options, ['accessToken', 'signal'])
    const context = this.#context
    if (accessToken !== undefined) return fetchUserOf(context, accessToken, signal)
    const body = await readUser(this.as(caller), signal)
    const user = decodeUser(body, context.options.service)
    await keep(context, user.id, body)
    return user
  }

  async fetchGuildMember(
    caller: Caller,
    guildId: string,
    options: CallOptions | undefined,
  ): Promise<GuildMember> {
    return readMembership(this.as(caller), guildId, checkOptions(options, ['signal']))
  }

  async fetchPurchases(caller: Caller, options: CallOptions | undefined): Promise<readonly PlayerPurchase[]> {
    const { signal } = checkOptions(options, ['signal'])
    const { applicationId } = this.#context.options
    if (!applicationId) throw new ConfigurationError('missing_application_id')
    return readPurchases(this.as(caller), applicationId, { signal })
  }

  async fetchGuilds(caller: Caller, options: CallOptions | undefined): Promise<Guild[]> {
    return listGuilds(this.as(caller), checkOptions(options, ['signal']))
  }

  async fetchGuildChannels(
    caller: Caller,
    guildId: string,
    options: CallOptions | undefined,
  ): Promise<GuildChannel[]> {
    return listGuildChannels(this.as(caller), guildId, checkOptions(options, ['signal']))
  }
}

/** Creates a REST client with its own rate limiter. */
function createUserApi(
  { options, emit, log }: ClientContext,
  credentials: Credentials,
  store?: RateLimitStore,
): LimitedApi {
  const { service, clock, requestTimeout: timeout, maxWait = MAX_WAIT } = options
  return createLimitedApi({
    service,
    credentials,
    transport: fetchTransport(options.fetch),
    clock,
    timeout,
    maxWait,
    store,
    onRefused: (error, route) =>
      log('warn', 'api.refused', { route, status: error.status, ...factsOf(error) }),
    onRateLimited: (event) => emit('rateLimited', event),
    onRateLimitDelayed: (event) => emit('rateLimitDelayed', event),
  })
}

/** Supplies unexpired tokens of the session that made a call, and refreshes once after a 401. */
function playerCredentials({ sessions }: ClientContext, caller: Caller): Credentials {
  return {
    userId: caller.userId,
    requireCurrent: () => caller.requireCurrent(),
    onEnd: (callback) => caller.onEnd(callback),
    header: async () => bearer(await (await sessions()).getUsableRecord(caller)),
    async renew(refused) {
      return (
        (await (
          await sessions()
        ).replaceRefused(caller, {
          isOf: (record) => bearer(record) === refused,
          why: { dead: true },
        })) !== undefined
      )
    },
  }
}

const bearer = ({ tokens }: SessionRecord): string => bearerOf(tokens)

/** Guild of which the player is a member. */
export interface Guild {
  /** Guild id. */
  readonly id: Snowflake
  /** Guild name. */
  readonly name: string
  /** Hash of the icon; null if the guild has none. */
  readonly icon: string | null
  /** True if the player manages channels in the whole guild. A single channel may grant or deny it differently. */
  readonly canManageChannels: boolean
}

/** Channel of a guild. */
export interface GuildChannel {
  /** Channel id. */
  readonly id: Snowflake
  /** Channel name. */
  readonly name: string
  /** Channel type, for example 0 for text, 2 for voice, 4 for a category. */
  readonly type: number
  /** Place among its siblings, from 0. */
  readonly position: number
  /** Category of the channel; absent without one. */
  readonly parentId?: Snowflake
  /**
   * False if no lobby can be linked to it: it is no text channel, or age-restricted. The permissions of the player, and another lobby that
   * is linked already, are checked by the service when it is linked.
   */
  readonly isLinkable: boolean
}

const GUILDS = '/users/@me/guilds'
const CHANNELS = '/guilds/{guild.id}/channels'
const TEXT_CHANNEL = 0
/** ADMINISTRATOR and MANAGE_CHANNELS. */
const MANAGES = 8 | 16

type ReceivedGuild = Readonly<Record<string, unknown>> &
  Pick<Guild, 'id' | 'name'> & { readonly permissions?: string | null }
type ReceivedChannel = Readonly<Record<string, unknown>> &
  Pick<GuildChannel, 'id' | 'name' | 'type'> & { readonly position?: number | null }

const BITS: FieldRule = {
  isOptional: true,
  expected: 'permissions as a string of digits',
  fits: (value) => isText(value, /^\d{1,20}$/),
}
const GUILDS_RULE: FieldRule<ReceivedGuild[]> = {
  list: { fields: { id: ID, name: TEXT, permissions: BITS } },
}
const CHANNELS_RULE: FieldRule<ReceivedChannel[]> = {
  list: { fields: { id: ID, name: TEXT, type: NUMBER, position: { ...NUMBER, isOptional: true } } },
}

async function listGuilds(api: Api, { signal }: CallOptions): Promise<Guild[]> {
  const { body } = await api.send({ method: 'GET', route: GUILDS, ids: {}, signal })
  return checkResponse(body, `GET ${GUILDS}`, GUILDS_RULE).map(guildOf)
}

/** Sorts by position. */
async function listGuildChannels(
  api: Api,
  guildId: string,
  { signal }: CallOptions,
): Promise<GuildChannel[]> {
  requireIds({ guildId })
  const { body } = await api.send({ method: 'GET', route: CHANNELS, ids: { 'guild.id': guildId }, signal })
  return checkResponse(body, `GET ${CHANNELS}`, CHANNELS_RULE)
    .map(channelOf)
    .sort((a, b) => a.position - b.position)
}

function guildOf({ id, name, icon, owner, permissions }: ReceivedGuild): Guild {
  const canManageChannels = owner === true || (BigInt(permissions ?? '0') & BigInt(MANAGES)) !== BigInt(0)
  return { id, name, icon: typeof icon === 'string' ? icon : null, canManageChannels }
}

function channelOf({ id, name, type, position, parent_id: parent, nsfw }: ReceivedChannel): GuildChannel {
  const isLinkable = type === TEXT_CHANNEL && nsfw !== true
  return {
    id,
    name,
    type,
    position: position ?? 0,
    ...(isSnowflake(parent) && { parentId: parent }),
    isLinkable,
  }
}
