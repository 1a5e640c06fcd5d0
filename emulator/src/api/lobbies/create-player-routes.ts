/** Endpoints of lobbies for players, with their access token. */
import { missingAccess, missingPermissions, missingScope, requireValid } from '../../check/api-error.js'
import { joinBody, LOBBY_LIMITS } from '../../check/check-lobby.js'
import { lobbyMessageBody } from '../../check/check-message.js'
import { onlyPlayers } from '../../check/lobby-errors.js'
import { integer, nullish, object, optional, snowflake, type Schema } from '../../check/schema.js'
import { headerText } from '../../foundation/header-text.js'
import { isObject } from '../../foundation/values.js'
import { CAN_LINK_LOBBY, type Lobby, type LobbyMember } from '../../model/lobby.js'
import { checkFree, invite, linkableChannel } from '../../service/lobbies/linkable-channel.js'
import { LobbyService, type LobbyCaller } from '../../service/lobbies/lobby-service.js'
import { Messages } from '../../service/lobbies/messages.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { ApiRoutes, type BodyOf } from '../request/api-routes.js'
import { requireCaller } from '../request/caller.js'
import { checkId, readWhole } from '../request/read-json.js'
import { createApplicationRoutes } from './create-application-routes.js'
import type { Context } from 'hono'

const SOCIAL_SCOPE = 'sdk.social_layer'

/** @throws ApiError 401, 403 */
function playerOf(c: Context, scope?: string): LobbyCaller {
  const caller = requireCaller(c)
  if (caller.kind === 'bot') throw onlyPlayers()
  if (scope !== undefined && !caller.scopes.has(scope))
    throw missingScope(`the access token has no scope ${scope}`)
  return { id: caller.player.id, applicationId: caller.applicationId }
}

/** A lobby, and the membership of the player of the token. */
interface Membership {
  lobby: Lobby
  member: LobbyMember
}

interface LobbyRoutesContext {
  context: EmulatorContext
  lobbyService: LobbyService
  /** Asked again after the body was read. @throws ApiError */
  membershipOf: (c: Context, scope?: string) => Membership
}

function createPlayerRoutes(context: EmulatorContext): ApiRoutes {
  const routes = new ApiRoutes()
  const lobbyService = new LobbyService(context)
  const membershipOf = (c: Context, scope?: string): Membership => {
    const { id, applicationId } = playerOf(c, scope)
    const lobby = lobbyService.get(lobbyIn(c), applicationId)
    return { lobby, member: memberOf(lobby, id) }
  }
  const parts = { context, lobbyService, membershipOf }
  routes.with('PUT', '/lobbies', { schema: () => joinBody(context.lobbyBehavior) }, async (c, body) => {
    const player = playerOf(c, SOCIAL_SCOPE)
    const input = await body.read()
    const advice = lobbyService.adviceOn(player, input)
    const lobby = lobbyService.join(player, input)
    if (advice !== undefined) {
      context.notice(`PUT /lobbies: ${advice}`)
      c.header('X-Emulator-Advice', headerText(advice))
    }
    return c.json(lobbyService.payload(lobby))
  })
  routes.bare('DELETE', '/lobbies/:lobby/members/@me', (c) => {
    const player = playerOf(c)
    lobbyService.leave(lobbyService.get(lobbyIn(c), player.applicationId), player)
    return c.body(null, 204)
  })
  routes.bare('POST', '/lobbies/:lobby/members/@me/invites', (c) => {
    const { lobby, member } = membershipOf(c, SOCIAL_SCOPE)
    return c.json(invite(lobby, member.userId, context))
  })
  routes.with('PATCH', '/lobbies/:lobby/channel-linking', { schema: () => linkBody }, (c, body) =>
    link(c, body, parts),
  )
  addMessageRoutes(routes, parts)
  return routes
}

function addMessageRoutes(
  routes: ApiRoutes,
  { context, lobbyService, membershipOf }: LobbyRoutesContext,
): void {
  const messages = new Messages(context)
  const path = '/lobbies/:lobby/messages'
  routes.with('POST', path, { schema: () => lobbyMessageBody(context.lobbyBehavior) }, async (c, body) => {
    membershipOf(c, SOCIAL_SCOPE)
    const input = await body.read()
    const { lobby, member } = membershipOf(c, SOCIAL_SCOPE)
    lobbyService.use(lobby)
    return c.json(messages.send(lobby, member, input), 201)
  })
  routes.get(path, (c) => {
    const { lobby } = membershipOf(c, SOCIAL_SCOPE)
    const { usual, largest } = LOBBY_LIMITS.messages
    const limit = readWhole(c.req.query('limit'))
    requireValid(object({ limit: optional(integer(1, largest)) }), { limit })
    lobbyService.use(lobby)
    return c.json(messages.list(lobby, Number(limit ?? usual)))
  })
}

const channel = object({ channel_id: nullish(snowflake) })

/** Null unlinks the lobby, as a whole body too. */
const linkBody: Schema<{ channel_id: string | null | undefined } | null> = {
  ...channel,
  check(value, at) {
    if (isObject(value)) channel.check(value, at)
    else if (value !== null) snowflake.check(undefined, at.at('channel_id'))
  },
}

/** Links the lobby to a channel; without one, unlinks it. */
async function link(
  c: Context,
  body: BodyOf<{ channel_id: string | null | undefined } | null, void>,
  { context, lobbyService, membershipOf }: LobbyRoutesContext,
): Promise<Response> {
  const before = membershipOf(c)
  if ((before.member.flags & CAN_LINK_LOBBY) === 0)
    throw missingPermissions('the member has not the flag CanLinkLobby')
  if (before.lobby.bySecret)
    throw missingAccess('a player made this lobby: only those of a server can be linked')
  const channelId = (await body.read())?.channel_id ?? null
  const { lobby, member } = membershipOf(c)
  if (channelId !== null) {
    linkableChannel(channelId, { playerId: member.userId, seed: context.seed })
    checkFree(context.state.lobbies.findByChannel(channelId), lobby.id)
  }
  return c.json(lobbyService.payload(lobbyService.change(lobby, { channelId })))
}

const lobbyIn = (c: Context): string => checkId(c.req.param('lobby') ?? '', 'lobby_id')

/** @throws ApiError 403 */
function memberOf({ members }: Lobby, userId: string): LobbyMember {
  const member = members.find((one) => one.userId === userId)
  if (member === undefined) throw missingAccess('the player of the token is no member of this lobby')
  return member
}

const PATHS = [
  '',
  '/:lobby',
  '/:lobby/members/:user',
  '/:lobby/members/:user/invites',
  '/:lobby/messages',
  '/:lobby/channel-linking',
]

export function createLobbies(context: EmulatorContext): ApiRoutes {
  const routes = new ApiRoutes()
  // Routes for players go first: `@me` would match `:user`.
  routes.add(createPlayerRoutes(context))
  routes.add(createApplicationRoutes(context))
  routes.refuseOthers(...PATHS.map((path) => `/lobbies${path}`))
  return routes
}
