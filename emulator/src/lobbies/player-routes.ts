/** The endpoints of lobbies for players, with their access token. */
import { Hono, type Context } from 'hono'
import { checkId, readJson } from '../commands/body.js'
import { identify } from '../commands/caller.js'
import { notSnowflake, Spot } from '../commands/problems.js'
import { isSnowflake } from '../commands/check-command.js'
import { missingAccess, missingPermissions, missingScope, refuseFaults } from '../commands/refusal.js'
import { fieldsOf, isObject } from '../decode.js'
import type { Authenticate } from '../http/authenticate.js'
import type { Service } from '../service.js'
import { read } from './application-routes.js'
import { checkFree, linkableChannel } from './channels.js'
import { checkJoin } from './check-lobby.js'
import { invite } from './invites.js'
import { Keeper, type Player } from './keeper.js'
import { canLinkLobby, type Lobby, type LobbyMember } from './lobby.js'
import { checkLimit, checkMessage, Messages } from './messages.js'
import { onlyPlayers } from './refusals.js'

const socialScope = 'sdk.social_layer'

type Handle = (c: Context, player: Player) => Response | Promise<Response>
type MemberHandle = (c: Context, place: { lobby: Lobby; member: LobbyMember }) => Response | Promise<Response>

export function createPlayerRoutes(service: Service, authenticate: Authenticate): Hono {
  const routes = new Hono()
  const keeper = new Keeper(service)
  const asPlayer = (scope: string | undefined, handle: Handle) => async (c: Context) => {
    const caller = await identify(c, authenticate)
    if (caller.kind === 'bot') throw onlyPlayers()
    if (scope !== undefined && !caller.scopes.has(scope)) throw missingScope(`the access token has no scope ${scope}`)
    return handle(c, { id: caller.player.id, applicationId: caller.applicationId })
  }
  const asMember = (scope: string | undefined, handle: MemberHandle) =>
    asPlayer(scope, (c, { id, applicationId }) => {
      const lobby = keeper.get(lobbyIn(c), applicationId)
      return handle(c, { lobby, member: memberOf(lobby, id) })
    })
  routes.put(
    '/lobbies',
    asPlayer(socialScope, async (c, player) => {
      const input = await read(c, (body, spot) => checkJoin(body, spot, service.lobbyKnobs))
      return c.json(keeper.payload(keeper.join(player, input)))
    }),
  )
  routes.delete(
    '/lobbies/:lobby/members/@me',
    asPlayer(undefined, (c, player) => {
      keeper.leave(keeper.get(lobbyIn(c), player.applicationId), player)
      return c.body(null, 204)
    }),
  )
  routes.post(
    '/lobbies/:lobby/members/@me/invites',
    asMember(socialScope, (c, { lobby, member }) => c.json(invite(lobby, member.userId, service))),
  )
  routes.patch(
    '/lobbies/:lobby/channel-linking',
    asMember(undefined, (c, place) => link(c, place, { service, keeper })),
  )
  addMessageRoutes(routes, { service, keeper, asMember })
  return routes
}

interface Rooms {
  service: Service
  keeper: Keeper
  asMember: (scope: string | undefined, handle: MemberHandle) => (c: Context) => Promise<Response>
}

function addMessageRoutes(routes: Hono, { service, keeper, asMember }: Rooms): void {
  const messages = new Messages(service)
  routes.post(
    '/lobbies/:lobby/messages',
    asMember(socialScope, async (c, { lobby: { id, applicationId }, member: { userId } }) => {
      const input = await read(c, (body, spot) => checkMessage(body, spot, service.lobbyKnobs))
      const lobby = keeper.get(id, applicationId)
      keeper.use(lobby)
      return c.json(messages.send(lobby, memberOf(lobby, userId), input), 201)
    }),
  )
  routes.get(
    '/lobbies/:lobby/messages',
    asMember(socialScope, (c, { lobby }) => {
      const spot = new Spot([])
      const limit = checkLimit(c.req.query('limit'), spot)
      refuseFaults(spot.faults)
      keeper.use(lobby)
      return c.json(messages.list(lobby, limit))
    }),
  )
}

/** Without a channel the lobby is linked to none. */
async function link(
  c: Context,
  { lobby, member }: { lobby: Lobby; member: LobbyMember },
  { service, keeper }: Pick<Rooms, 'service' | 'keeper'>,
): Promise<Response> {
  if (member.flags !== canLinkLobby) throw missingPermissions('the member has not the flag CanLinkLobby')
  if (lobby.bySecret) throw missingAccess('a player made this lobby: only those of a server can be linked')
  const spot = new Spot([])
  const channelId = checkChannel(await readJson(c), spot)
  refuseFaults(spot.faults)
  if (channelId !== null) {
    linkableChannel(channelId, { playerId: member.userId, seed: service.seed })
    checkFree(service.state.lobbies.findByChannel(channelId), lobby.id)
  }
  return c.json(keeper.payload(keeper.change(keeper.get(lobby.id, lobby.applicationId), { channelId })))
}

function checkChannel(body: unknown, spot: Spot): string | null {
  const { channel_id = null } = isObject(body) || body === null ? fieldsOf(body) : { channel_id: body }
  if (channel_id === null) return null
  if (isSnowflake(channel_id)) return channel_id
  spot.at('channel_id').refuse(notSnowflake)
  return null
}

function lobbyIn(c: Context): string {
  return checkId(c.req.param('lobby') ?? '', 'lobby_id')
}

/** @throws Refusal 403 */
function memberOf({ members }: Lobby, userId: string): LobbyMember {
  const member = members.find((one) => one.userId === userId)
  if (member === undefined) throw missingAccess('the player of the token is no member of this lobby')
  return member
}
