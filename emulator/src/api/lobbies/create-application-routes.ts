/** Endpoints of lobbies for an application's server, with its bot token. */
import { Hono, type Context } from 'hono'
import { checkId, readJson, readOptionalJson } from '../request/read-json.js'
import { requireCaller } from '../request/caller.js'
import { ValidationContext } from '../../check/validation-context.js'
import { refuseInvalidBody } from '../../check/api-error.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { checkBulk, checkLobby, checkMember } from '../../check/check-lobby.js'
import { invite } from '../../service/lobbies/linkable-channel.js'
import { LobbyService } from '../../service/lobbies/lobby-service.js'
import { memberPayload, type Lobby } from '../../model/lobby.js'
import { checkModeration, Messages } from '../../service/lobbies/messages.js'
import { onlyBots, unknownUser } from '../../check/lobby-errors.js'

type Handle = (c: Context, applicationId: string) => Response | Promise<Response>

const asBot = (handle: Handle) => (c: Context) => {
  const caller = requireCaller(c)
  if (caller.kind !== 'bot') throw onlyBots()
  return handle(c, caller.applicationId)
}

export function createApplicationRoutes(context: EmulatorContext): Hono {
  const routes = new Hono()
  const lobbyService = new LobbyService(context)
  const inLobby = (handle: (c: Context, lobby: Lobby) => Response | Promise<Response>) =>
    asBot((c, applicationId) =>
      handle(c, lobbyService.get(checkId(c.req.param('lobby') ?? '', 'lobby_id'), applicationId)),
    )
  routes.post(
    '/lobbies',
    asBot(async (c, applicationId) => {
      const input = await readOptional(c, (body, validation) =>
        checkLobby(body, validation, context.lobbyBehavior),
      )
      return c.json(lobbyService.payload(lobbyService.create(applicationId, input)), 201)
    }),
  )
  routes.get(
    '/lobbies/:lobby',
    inLobby((c, lobby) => c.json(lobbyService.payload(lobby))),
  )
  routes.patch(
    '/lobbies/:lobby',
    inLobby(async (c, { id, applicationId }) => {
      const input = await readOptional(c, (body, validation) =>
        checkLobby(body, validation, context.lobbyBehavior),
      )
      return c.json(lobbyService.payload(lobbyService.edit(lobbyService.get(id, applicationId), input)))
    }),
  )
  routes.delete(
    '/lobbies/:lobby',
    asBot((c, applicationId) => {
      lobbyService.delete(checkId(c.req.param('lobby') ?? '', 'lobby_id'), applicationId)
      return c.body(null, 204)
    }),
  )
  addMemberRoutes(routes, { context, lobbyService, inLobby })
  return routes
}

interface MemberRoutesContext {
  context: EmulatorContext
  lobbyService: LobbyService
  inLobby: (
    handle: (c: Context, lobby: Lobby) => Response | Promise<Response>,
  ) => (c: Context) => Response | Promise<Response>
}

function addMemberRoutes(routes: Hono, { context, lobbyService, inLobby }: MemberRoutesContext): void {
  const messages = new Messages(context)
  routes.post(
    '/lobbies/:lobby/members/bulk',
    inLobby(async (c, { id, applicationId }) => {
      const items = await read(c, (body, validation) => checkBulk(body, validation, context.lobbyBehavior))
      return c.json(lobbyService.updateMembers(lobbyService.get(id, applicationId), items).map(memberPayload))
    }),
  )
  routes.put(
    '/lobbies/:lobby/members/:user',
    inLobby(async (c, { id, applicationId }) => {
      const userId = userIn(c)
      const input = await readOptional(c, (body, validation) =>
        checkMember(body, validation, context.lobbyBehavior),
      )
      return c.json(memberPayload(lobbyService.putMember(lobbyService.get(id, applicationId), userId, input)))
    }),
  )
  routes.delete(
    '/lobbies/:lobby/members/:user',
    inLobby((c, lobby) => {
      lobbyService.removeMember(lobby, userIn(c))
      return c.body(null, 204)
    }),
  )
  routes.post(
    '/lobbies/:lobby/members/:user/invites',
    inLobby((c, lobby) => {
      const userId = userIn(c)
      if (!lobby.members.some((member) => member.userId === userId))
        throw unknownUser('the user is no member of this lobby')
      return c.json(invite(lobby, userId, context))
    }),
  )
  routes.put(
    '/lobbies/:lobby/messages/:message/moderation-metadata',
    inLobby(async (c, lobby) => {
      messages.moderate(
        lobby,
        checkId(c.req.param('message') ?? '', 'message_id'),
        await read(c, checkModeration),
      )
      return c.body(null, 204)
    }),
  )
}

function userIn(c: Context): string {
  return checkId(c.req.param('user') ?? '', 'user_id')
}

type Check<Input> = (body: unknown, validation: ValidationContext) => Input

/** Reads and validates the body. @throws ApiError 400 with all problems */
export async function read<Input>(c: Context, check: Check<Input>): Promise<Input> {
  return checked(await readJson(c), check)
}

/**
 * Reads an optional body, for endpoints where every field is optional (docs/interface/lobbies.md#backend-endpoints).
 * @throws ApiError as above
 */
async function readOptional<Input>(c: Context, check: Check<Input>): Promise<Input> {
  return checked(await readOptionalJson(c), check)
}

function checked<Input>(body: unknown, check: Check<Input>): Input {
  const validation = new ValidationContext([])
  const input = check(body, validation)
  refuseInvalidBody(validation.errors)
  return input
}
