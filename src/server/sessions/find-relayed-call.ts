/** The closed list of the service's routes that pages without tokens call through the backend. Pure. */
import { isSnowflake } from '../../shared/foundation/ids'
import type { Method } from '../../shared/http/http-client'
import type { PlayerBody } from '../../shared/lobbies/lobby-rules'

/** A call of a page. Nothing of its address is sent on but ids and the listed parameters. */
export interface RelayedCall {
  readonly method: Method
  readonly route: string
  readonly ids: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Shape of a call's body, which is a JSON object. Without one, a body is not read. */
  readonly body?: PlayerBody | undefined
}

interface RelayedRoute {
  readonly method: Method
  readonly route: string
  readonly body?: PlayerBody
  /** Parameters by name. */
  readonly query?: Readonly<Record<string, RegExp>>
}

/** Routes that a client calls with a player's token (docs/interface/lobbies.md#player-endpoints). */
export const RELAYED_ROUTES: readonly RelayedRoute[] = [
  { method: 'PUT', route: '/lobbies', body: 'join' },
  { method: 'DELETE', route: '/lobbies/{lobby.id}/members/@me' },
  { method: 'POST', route: '/lobbies/{lobby.id}/members/@me/invites' },
  { method: 'GET', route: '/lobbies/{lobby.id}/messages', query: { limit: /^[1-9]\d{0,2}$/ } },
  { method: 'POST', route: '/lobbies/{lobby.id}/messages', body: 'message' },
  { method: 'PATCH', route: '/lobbies/{lobby.id}/channel-linking', body: 'link' },
  { method: 'GET', route: '/users/@me' },
  { method: 'GET', route: '/users/@me/guilds' },
  { method: 'GET', route: '/users/@me/guilds/{guild.id}/member' },
  {
    method: 'GET',
    route: '/users/@me/applications/{application.id}/entitlements',
    query: { after: /^\d{1,20}$/, limit: /^[1-9]\d{0,2}$/ },
  },
  { method: 'GET', route: '/guilds/{guild.id}/channels' },
]

/** Undefined for everything that is not on the list, letter by letter. */
export function findRelayedCall(
  method: string,
  path: string,
  query: URLSearchParams,
): RelayedCall | undefined {
  for (const each of RELAYED_ROUTES) {
    const ids = each.method === method ? matchIds(each.route, path) : undefined
    if (!ids || !isKnown(query, each.query ?? {})) continue
    const { route, body } = each
    return {
      method: each.method,
      route,
      ids,
      body,
      ...(query.size > 0 && { query: Object.fromEntries(query) }),
    }
  }
  return undefined
}

/** Segment by segment: a placeholder takes an id, any other segment only itself. */
function matchIds(route: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [route.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const ids: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? ''
    const name = /^\{(.+)\}$/.exec(segment)?.[1]
    if (name === undefined ? value !== segment : !isSnowflake(value)) return undefined
    if (name !== undefined) ids[name] = value
  }
  return ids
}

/** Each parameter is listed, and given once. */
function isKnown(query: URLSearchParams, rules: Readonly<Record<string, RegExp>>): boolean {
  const names = [...query.keys()]
  return names.every(
    (name) =>
      Object.hasOwn(rules, name) &&
      query.getAll(name).length === 1 &&
      rules[name]?.test(query.get(name) ?? ''),
  )
}
