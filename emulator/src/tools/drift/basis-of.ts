/** Operations of docs/interface: whether the interface states or assumes them. */
import type { Basis, Operation } from './drift-types.js'

const stated = [
  ...['GET', 'POST', 'PUT'].flatMap((method) => [
    `${method} /applications/{}/commands`,
    `${method} /applications/{}/guilds/{}/commands`,
  ]),
  ...['GET', 'PATCH', 'DELETE'].flatMap((method) => [
    `${method} /applications/{}/commands/{}`,
    `${method} /applications/{}/guilds/{}/commands/{}`,
    `${method} /lobbies/{}`,
  ]),
  'GET /applications/{}/guilds/{}/commands/permissions',
  'PUT /applications/{}/guilds/{}/commands/permissions',
  'GET /applications/{}/guilds/{}/commands/{}/permissions',
  'PUT /applications/{}/guilds/{}/commands/{}/permissions',
  'POST /lobbies',
  'PUT /lobbies/{}/members/{}',
  'DELETE /lobbies/{}/members/{}',
]

const ASSUMED = [
  'PUT /lobbies',
  'POST /lobbies/{}/members/bulk',
  'POST /lobbies/{}/members/{}/invites',
  'POST /lobbies/{}/members/@me/invites',
  'DELETE /lobbies/{}/members/@me',
  'POST /lobbies/{}/messages',
  'GET /lobbies/{}/messages',
  'PUT /lobbies/{}/messages/{}/moderation-metadata',
  'PATCH /lobbies/{}/channel-linking',
  'GET /users/@me',
  'GET /users/@me/guilds',
  'GET /users/@me/guilds/{}/member',
  'GET /users/{}',
  'GET /guilds/{}/channels',
  'GET /oauth2/@me',
  'GET /oauth2/keys',
  'GET /oauth2/userinfo',
  'GET /oauth2/applications/@me',
  'POST /oauth2/token',
  'POST /oauth2/token/revoke',
  'POST /oauth2/device/authorize',
  'POST /partner-sdk/token',
  'POST /partner-sdk/token/bot',
  'POST /partner-sdk/child-token',
  'POST /partner-sdk/provisional-accounts/unmerge',
  'POST /partner-sdk/provisional-accounts/unmerge/bot',
  'GET /applications/{}/activity-instances/{}',
  'POST /applications/{}/attachment',
  'POST /applications/{}/quick-links',
  'GET /applications/{}/entitlements',
  'POST /applications/{}/entitlements',
  'GET /applications/{}/entitlements/{}',
  'DELETE /applications/{}/entitlements/{}',
  'POST /applications/{}/entitlements/{}/consume',
  'GET /users/@me/applications/{}/entitlements',
  'GET /skus/{}/subscriptions',
  'GET /applications/{}/skus',
  'POST /interactions/{}/{}/callback',
  'POST /webhooks/{}/{}',
  'GET /webhooks/{}/{}/messages/{}',
  'PATCH /webhooks/{}/{}/messages/{}',
  'DELETE /webhooks/{}/{}/messages/{}',
]

const bases = new Map<string, Basis>([
  ...stated.map((operation): [string, Basis] => [operation, 'stated']),
  ...ASSUMED.map((operation): [string, Basis] => [operation, 'assumed']),
])

/** Names of placeholders make no difference. */
export function basisOf({ method, path }: Pick<Operation, 'method' | 'path'>): Basis {
  return bases.get(`${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`) ?? 'absent'
}
