/** The endpoints of lobbies for an application's server, with its bot token. */
import { Hono, type Context } from 'hono'
import { checkId, readJson, readOptionalJson } from '../commands/body.js'
import { identify } from '../commands/caller.js'
import { Spot } from '../commands/problems.js'
import { refuseFaults } from '../commands/refusal.js'
import type { Authenticate } from '../http/authenticate.js'
import type { Service } from '../service.js'
import { checkBulk, checkLobby, checkMember } from './check-lobby.js'
import { invite } from './invites.js'
import { Keeper } from './keeper.js'
import { memberPayload, type Lobby } from './lobby.js'
import { checkModeration, Messages } from './messages.js'
import { onlyBots, unknownUser } from './refusals.js'

type Handle = (c: Context, applicationId: string) => Response | Promise<Response>

export function createApplicationRoutes(service: Service, authenticate: Authenticate): Hono {
  const routes = new Hono()
  const keeper = new Keeper(service)
  const asBot = (handle: Handle) => async (c: Context) => {
    const caller = await identify(c, authenticate)
    if (caller.kind !== 'bot') throw onlyBots()
    return handle(c, caller.applicationId)
  }
  const inLobby = (handle: (c: Context, lobby: Lobby) => Response | Promise<Response>) =>
    asBot((c, applicationId) => handle(c, keeper.get(checkId(c.req.param('lobby') ?? '', 'lobby_id'), applicationId)))
  routes.post(
    '/lobbies',
    asBot(async (c, applicationId) => {
      const input = await readOptional(c, (body, spot) => checkLobby(body, spot, service.lobbyKnobs))
      return c.json(keeper.payload(keeper.create(applicationId, input)), 201)
    }),
  )
  routes.get(
    '/lobbies/:lobby',
    inLobby((c, lobby) => c.json(keeper.payload(lobby))),
  )
  routes.patch(
    '/lobbies/:lobby',
    inLobby(async (c, { id, applicationId }) => {
      const input = await readOptional(c, (body, spot) => checkLobby(body, spot, service.lobbyKnobs))
      return c.json(keeper.payload(keeper.edit(keeper.get(id, applicationId), input)))
    }),
  )
  routes.delete(
    '/lobbies/:lobby',
    asBot((c, applicationId) => {
      keeper.delete(checkId(c.req.param('lobby') ?? '', 'lobby_id'), applicationId)
      return c.body(null, 204)
    }),
  )
  addMemberRoutes(routes, { service, keeper, inLobby })
  return routes
}

interface Rooms {
  service: Service
  keeper: Keeper
  inLobby: (handle: (c: Context, lobby: Lobby) => Response | Promise<Response>) => (c: Context) => Promise<Response>
}

function addMemberRoutes(routes: Hono, { service, keeper, inLobby }: Rooms): void {
  const messages = new Messages(service)
  routes.post(
    '/lobbies/:lobby/members/bulk',
    inLobby(async (c, { id, applicationId }) => {
      const items = await read(c, (body, spot) => checkBulk(body, spot, service.lobbyKnobs))
      return c.json(keeper.updateMembers(keeper.get(id, applicationId), items).map(memberPayload))
    }),
  )
  routes.put(
    '/lobbies/:lobby/members/:user',
    inLobby(async (c, { id, applicationId }) => {
      const userId = userIn(c)
      const input = await readOptional(c, (body, spot) => checkMember(body, spot, service.lobbyKnobs))
      return c.json(memberPayload(keeper.putMember(keeper.get(id, applicationId), userId, input)))
    }),
  )
  routes.delete(
    '/lobbies/:lobby/members/:user',
    inLobby((c, lobby) => {
      keeper.removeMember(lobby, userIn(c))
      return c.body(null, 204)
    }),
  )
  routes.post(
    '/lobbies/:lobby/members/:user/invites',
    inLobby((c, lobby) => {
      const userId = userIn(c)
      if (!lobby.members.some((member) => member.userId === userId)) throw unknownUser('the user is no member of this lobby')
      return c.json(invite(lobby, userId, service))
    }),
  )
  routes.put(
    '/lobbies/:lobby/messages/:message/moderation-metadata',
    inLobby(async (c, lobby) => {
      messages.moderate(lobby, checkId(c.req.param('message') ?? '', 'message_id'), await read(c, checkModeration))
      return c.body(null, 204)
    }),
  )
}

function userIn(c: Context): string {
  return checkId(c.req.param('user') ?? '', 'user_id')
}

type Check<Input> = (body: unknown, spot: Spot) => Input

/** @throws Refusal that tells everything that is wrong with the body. */
export async function read<Input>(c: Context, check: Check<Input>): Promise<Input> {
  return checked(await readJson(c), check)
}

/** Where every field is optional, so is the body (S:261-265). @throws Refusal as above */
async function readOptional<Input>(c: Context, check: Check<Input>): Promise<Input> {
  return checked(await readOptionalJson(c), check)
}

function checked<Input>(body: unknown, check: Check<Input>): Input {
  const spot = new Spot([])
  const input = check(body, spot)
  refuseFaults(spot.faults)
  return input
}
