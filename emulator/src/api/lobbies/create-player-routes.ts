/** Endpoints of lobbies for players, with their access token. */
import {
  methodNotAllowed,
  missingAccess,
  missingPermissions,
  missingScope,
  refuseInvalidBody,
} from '../../check/api-error.js'
import { checkJoin } from '../../check/check-lobby.js'
import { onlyPlayers } from '../../check/lobby-errors.js'
import { NOT_SNOWFLAKE, ValidationContext } from '../../check/validation-context.js'
import { fieldsOf, isObject, isSnowflake } from '../../foundation/values.js'
import { CAN_LINK_LOBBY, type Lobby, type LobbyMember } from '../../model/lobby.js'
import { checkFree, invite, linkableChannel } from '../../service/lobbies/linkable-channel.js'
import { LobbyService, type LobbyCaller } from '../../service/lobbies/lobby-service.js'
import { Messages, checkLimit, checkMessage } from '../../service/lobbies/messages.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { requireCaller } from '../request/caller.js'
import { checkId, readJson } from '../request/read-json.js'
import { createApplicationRoutes, read } from './create-application-routes.js'
import { Hono, type Context } from 'hono'

const SOCIAL_SCOPE = 'sdk.social_layer'

type Handle = (c: Context, player: LobbyCaller) => Response | Promise<Response>
type MemberHandle = (c: Context, place: { lobby: Lobby; member: LobbyMember }) => Response | Promise<Response>

const asPlayer = (scope: string | undefined, handle: Handle) => (c: Context) => {
  const caller = requireCaller(c)
  if (caller.kind === 'bot') throw onlyPlayers()
  if (scope !== undefined && !caller.scopes.has(scope))
    throw missingScope(`the access token has no scope ${scope}`)
  return handle(c, { id: caller.player.id, applicationId: caller.applicationId })
}

function createPlayerRoutes(context: EmulatorContext): Hono {
  const routes = new Hono()
  const lobbyService = new LobbyService(context)
  const asMember = (scope: string | undefined, handle: MemberHandle) =>
    asPlayer(scope, (c, { id, applicationId }) => {
      const lobby = lobbyService.get(lobbyIn(c), applicationId)
      return handle(c, { lobby, member: memberOf(lobby, id) })
    })
  routes.put(
    '/lobbies',
    asPlayer(SOCIAL_SCOPE, async (c, player) => {
      const input = await read(c, (body, validation) => checkJoin(body, validation, context.lobbyBehavior))
      return c.json(lobbyService.payload(lobbyService.join(player, input)))
    }),
  )
  routes.delete(
    '/lobbies/:lobby/members/@me',
    asPlayer(undefined, (c, player) => {
      lobbyService.leave(lobbyService.get(lobbyIn(c), player.applicationId), player)
      return c.body(null, 204)
    }),
  )
  routes.post(
    '/lobbies/:lobby/members/@me/invites',
    asMember(SOCIAL_SCOPE, (c, { lobby, member }) => c.json(invite(lobby, member.userId, context))),
  )
  routes.patch(
    '/lobbies/:lobby/channel-linking',
    asMember(undefined, (c, place) => link(c, place, { context, lobbyService })),
  )
  addMessageRoutes(routes, { context, lobbyService, asMember })
  return routes
}

interface MessageRoutesContext {
  context: EmulatorContext
  lobbyService: LobbyService
  asMember: (scope: string | undefined, handle: MemberHandle) => (c: Context) => Response | Promise<Response>
}

function addMessageRoutes(routes: Hono, { context, lobbyService, asMember }: MessageRoutesContext): void {
  const messages = new Messages(context)
  routes.post(
    '/lobbies/:lobby/messages',
    asMember(SOCIAL_SCOPE, async (c, { lobby: { id, applicationId }, member: { userId } }) => {
      const input = await read(c, (body, validation) => checkMessage(body, validation, context.lobbyBehavior))
      const lobby = lobbyService.get(id, applicationId)
      lobbyService.use(lobby)
      return c.json(messages.send(lobby, memberOf(lobby, userId), input), 201)
    }),
  )
  routes.get(
    '/lobbies/:lobby/messages',
    asMember(SOCIAL_SCOPE, (c, { lobby }) => {
      const validation = new ValidationContext([])
      const limit = checkLimit(c.req.query('limit'), validation)
      refuseInvalidBody(validation.errors)
      lobbyService.use(lobby)
      return c.json(messages.list(lobby, limit))
    }),
  )
}

/** Links the lobby to a channel; without one, unlinks it. */
async function link(
  c: Context,
  { lobby, member }: { lobby: Lobby; member: LobbyMember },
  { context, lobbyService }: Pick<MessageRoutesContext, 'context' | 'lobbyService'>,
): Promise<Response> {
  if ((member.flags & CAN_LINK_LOBBY) === 0)
    throw missingPermissions('the member has not the flag CanLinkLobby')
  if (lobby.bySecret) throw missingAccess('a player made this lobby: only those of a server can be linked')
  const validation = new ValidationContext([])
  const channelId = checkChannel(await readJson(c), validation)
  refuseInvalidBody(validation.errors)
  if (channelId !== null) {
    linkableChannel(channelId, { playerId: member.userId, seed: context.seed })
    checkFree(context.state.lobbies.findByChannel(channelId), lobby.id)
  }
  return c.json(
    lobbyService.payload(lobbyService.change(lobbyService.get(lobby.id, lobby.applicationId), { channelId })),
  )
}

function checkChannel(body: unknown, validation: ValidationContext): string | null {
  const { channel_id = null } = isObject(body) || body === null ? fieldsOf(body) : { channel_id: body }
  if (channel_id === null) return null
  if (isSnowflake(channel_id)) return channel_id
  validation.at('channel_id').addError(NOT_SNOWFLAKE)
  return null
}

function lobbyIn(c: Context): string {
  return checkId(c.req.param('lobby') ?? '', 'lobby_id')
}

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

export function createLobbies(context: EmulatorContext): Hono {
  const routes = new Hono()
  // Routes for players go first: `@me` would match `:user`.
  routes.route('/', createPlayerRoutes(context))
  routes.route('/', createApplicationRoutes(context))
  for (const path of PATHS)
    routes.all(`/lobbies${path}`, () => {
      throw methodNotAllowed('this address has no such method')
    })
  return routes
}
