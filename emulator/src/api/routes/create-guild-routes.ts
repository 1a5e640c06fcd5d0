/** Endpoints of guilds: those of a player, the membership in one, and its channels. */
import { Hono, type Context } from 'hono'
import { missingAccess, missingScope, unauthorized, unknownGuild } from '../../check/api-error.js'
import { pageOf, readPageQuery, checkId, readFlag } from '../request/read-json.js'
import { callerOf, requireCaller } from '../request/caller.js'
import { guildWithApplication } from '../../service/guilds/guild-with-application.js'
import { actorIn, has, memberOf, VIEW_CHANNEL } from '../../service/guilds/member-permissions.js'
import { plainMember, userPayload } from '../../service/guilds/user-payload.js'
import { channelsOf } from '../../service/guilds/guild-channel-payload.js'
import type { EmulatorContext } from '../../state/emulator-context.js'

const SCOPE = 'guilds'
const MEMBER_SCOPE = 'guilds.members.read'
const MAX_GUILDS = 200

/** Name of a player in a guild. */
type Nicknames = (guildId: string, userId: string) => string | undefined

export function createGuildRoutes(context: EmulatorContext, nicknames: Nicknames): Hono {
  const routes = new Hono()
  routes.get('/users/@me/guilds', (c) => {
    const player = requirePlayer(c)
    readFlag(c, 'with_counts')
    return c.json(pageOf(guildsOf(player, context), readPageQuery(c, MAX_GUILDS)))
  })
  for (const path of ['/users/@me/guilds/:guild/member', '/users/@me/guilds/:guild/member/'])
    routes.get(path, (c) => {
      const id = checkId(c.req.param('guild') ?? '', 'guild_id')
      const player = requirePlayer(c, MEMBER_SCOPE)
      return c.json(membership(id, player, { context, nicknames }))
    })
  routes.get('/guilds/:guild/channels', (c) => {
    const id = checkId(c.req.param('guild'), 'guild_id')
    const isBot = requireCaller(c).kind === 'bot'
    return c.json(
      isBot ? channelsOf(guildWithApplication(id, context)) : visibleChannels(id, requirePlayer(c), context),
    )
  })
  return routes
}

/** Returns the player's id. @throws ApiError 401, 403 */
function requirePlayer(c: Context, scope = SCOPE): string {
  const caller = callerOf(c)
  if (caller.kind === 'unknown') throw unauthorized(caller.rule)
  if (caller.kind === 'bot')
    throw unauthorized('this is for players: the token must be "Bearer <access token>"')
  if (!caller.scopes.has(scope)) throw missingScope(`the access token has no scope ${scope}`)
  return caller.player.id
}

function guildsOf(playerId: string, { seed }: EmulatorContext) {
  return seed.guilds.flatMap((guild) => {
    const member = memberOf(guild, playerId)
    if (member === undefined) return []
    const { id, name, ownerId } = guild
    const permissions = String(actorIn(guild, member).permissions)
    return [{ id, name, icon: null, banner: null, owner: ownerId === playerId, permissions, features: [] }]
  })
}

/** A guild of others is as one that does not exist (assumed). @throws ApiError 404 */
function membership(
  guildId: string,
  playerId: string,
  { context: { seed }, nicknames }: { context: EmulatorContext; nicknames: Nicknames },
) {
  const guild = seed.guilds.find(({ id }) => id === guildId)
  const member = guild && memberOf(guild, playerId)
  const player = seed.players.find(({ id }) => id === playerId)
  if (member === undefined || player === undefined) throw unknownGuild()
  return {
    ...plainMember(member.roles),
    nick: nicknames(guildId, playerId) ?? null,
    user: userPayload(player),
    mute: false,
    deaf: false,
  }
}

/** Players see what they may view (assumed). @throws ApiError 404, 403 */
function visibleChannels(guildId: string, playerId: string, { seed }: EmulatorContext) {
  const guild = seed.guilds.find(({ id }) => id === guildId)
  if (guild === undefined) throw unknownGuild()
  const member = memberOf(guild, playerId)
  if (member === undefined) throw missingAccess('the player of the token is no member of this guild')
  return channelsOf(guild, (channel) => has(actorIn(guild, member, channel), VIEW_CHANNEL))
}
