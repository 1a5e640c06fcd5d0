/** Everything with the player's own rate limits, as one part: reads of the player's account, and the lobbies. */
import { type CallOptions, checkOptions } from '../../shared/foundation/options'
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { UserId } from '../../shared/foundation/ids'
import { reveal, type Secret } from '../../shared/foundation/secret'
import type { Credentials } from '../../shared/http/credentials'
import { avatarUrl } from '../../shared/service/avatar-url'
import type { ServiceConfig } from '../../shared/service/service-config'
import { userFromResponse } from '../../shared/tokens/session-user'
import type { Api } from '../../shared/http/api'
import { checkResponse, ID, type FieldRule, TEXT } from '../../shared/http/check-response'
import type { ClientContext } from '../sign-in/sign-in-client'
import type { Caller } from '../session/caller'
import { type Guild, type GuildChannel, listGuildChannels, listGuilds } from '../lobbies/list-guilds'
import { createUserApi, PlayerApi } from './player-api'

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

export class PlayerCalls extends PlayerApi {
  /** Reads the user of a token, by default of the caller's session, whose names the session then keeps. */
  async fetchCurrentUser(caller: Caller, options: CurrentUserOptions | undefined): Promise<CurrentUser> {
    const { accessToken, signal } = checkOptions(options, ['accessToken', 'signal'])
    const { context } = this
    if (accessToken !== undefined) return fetchUserOf(context, accessToken, signal)
    const body = await readUser(this.as(caller), signal)
    const user = decodeUser(body, context.options.service)
    await keep(context, user.id, body)
    return user
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

/** Reads the user of an access token, with limits of its own. */
async function fetchUserOf(
  context: ClientContext,
  accessToken: Secret | string,
  signal?: AbortSignal,
): Promise<CurrentUser> {
  const limited = createUserApi(context, bearer(accessToken))
  try {
    return decodeUser(await readUser(limited.api, signal), context.options.service)
  } finally {
    limited.close()
  }
}

async function readUser(api: Api, signal: AbortSignal | undefined): Promise<unknown> {
  return (await api.send({ method: 'GET', route: '/users/@me', ids: {}, signal })).body
}

function bearer(accessToken: Secret | string): Credentials {
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
