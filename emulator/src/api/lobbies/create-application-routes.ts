/** Endpoints of lobbies for an application's server, with its bot token. */
import type { Context } from 'hono'
import { ApiRoutes } from '../request/api-routes.js'
import { checkId } from '../request/read-json.js'
import { requireCaller } from '../request/caller.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { bulkBody, lobbyBody, memberBody, moderationBody } from '../../check/check-lobby.js'
import { invite } from '../../service/lobbies/linkable-channel.js'
import { LobbyService } from '../../service/lobbies/lobby-service.js'
import { memberPayload, type Lobby } from '../../model/lobby.js'
import { Messages } from '../../service/lobbies/messages.js'
import { onlyBots, unknownUser } from '../../check/lobby-errors.js'

/** The application of the token. @throws ApiError 401, 403 */
function applicationOf(c: Context): string {
  const caller = requireCaller(c)
  if (caller.kind !== 'bot') throw onlyBots()
  return caller.applicationId
}

const lobbyIn = (c: Context): string => checkId(c.req.param('lobby') ?? '', 'lobby_id')

export function createApplicationRoutes(context: EmulatorContext): ApiRoutes {
  const routes = new ApiRoutes()
  const lobbyService = new LobbyService(context)
  const lobbyOf = (c: Context): Lobby => {
    const applicationId = applicationOf(c)
    return lobbyService.get(lobbyIn(c), applicationId)
  }
  // Every field is optional, and so is the body (docs/interface/lobbies.md#backend-endpoints).
  const lobbyShape = { schema: () => lobbyBody(context.lobbyBehavior), mayBeAbsent: true }
  routes.with('POST', '/lobbies', lobbyShape, async (c, body) => {
    const applicationId = applicationOf(c)
    return c.json(lobbyService.payload(lobbyService.create(applicationId, await body.read())), 201)
  })
  routes.get('/lobbies/:lobby', (c) => c.json(lobbyService.payload(lobbyOf(c))))
  routes.with('PATCH', '/lobbies/:lobby', lobbyShape, async (c, body) => {
    lobbyOf(c)
    const input = await body.read()
    return c.json(lobbyService.payload(lobbyService.edit(lobbyOf(c), input)))
  })
  routes.bare('DELETE', '/lobbies/:lobby', (c) => {
    const applicationId = applicationOf(c)
    lobbyService.delete(lobbyIn(c), applicationId)
    return c.body(null, 204)
  })
  addMemberRoutes(routes, { context, lobbyService, lobbyOf })
  return routes
}

interface MemberRoutesContext {
  context: EmulatorContext
  lobbyService: LobbyService
  /** The lobby of the path, for the application of the token; asked again after the body was read. */
  lobbyOf: (c: Context) => Lobby
}

function addMemberRoutes(routes: ApiRoutes, { context, lobbyService, lobbyOf }: MemberRoutesContext): void {
  const messages = new Messages(context)
  const { lobbyBehavior } = context
  routes.with(
    'POST',
    '/lobbies/:lobby/members/bulk',
    { schema: () => bulkBody(lobbyBehavior) },
    async (c, body) => {
      lobbyOf(c)
      const items = await body.read()
      return c.json(lobbyService.updateMembers(lobbyOf(c), items).map(memberPayload))
    },
  )
  const one = '/lobbies/:lobby/members/:user'
  const memberShape = { schema: () => memberBody(lobbyBehavior), mayBeAbsent: true }
  routes.with('PUT', one, memberShape, async (c, body) => {
    lobbyOf(c)
    const userId = userIn(c)
    const input = await body.read()
    return c.json(memberPayload(lobbyService.putMember(lobbyOf(c), userId, input)))
  })
  routes.bare('DELETE', one, (c) => {
    lobbyService.removeMember(lobbyOf(c), userIn(c))
    return c.body(null, 204)
  })
  routes.bare('POST', `${one}/invites`, (c) => {
    const lobby = lobbyOf(c)
    const userId = userIn(c)
    if (!lobby.members.some((member) => member.userId === userId))
      throw unknownUser('the user is no member of this lobby')
    return c.json(invite(lobby, userId, context))
  })
  routes.with(
    'PUT',
    '/lobbies/:lobby/messages/:message/moderation-metadata',
    { schema: () => moderationBody },
    async (c, body) => {
      lobbyOf(c)
      const messageId = checkId(c.req.param('message') ?? '', 'message_id')
      messages.moderate(lobbyOf(c), messageId, await body.read())
      return c.body(null, 204)
    },
  )
}

function userIn(c: Context): string {
  return checkId(c.req.param('user') ?? '', 'user_id')
}
