/** Endpoints that services of this kind document, and that the emulator does not emulate: each answers 501 with a sentence. */
import { Hono } from 'hono'
import { ApiError } from '../api/api-error.js'

const APPLICATION = '/applications/:application'

/** Paths, and what the service does there. */
const UNSERVED: readonly [methods: string[], path: string, what: string][] = [
  [['POST'], `${APPLICATION}/entitlements`, 'creates a test entitlement: let a player buy one in the Activity'],
  [['GET', 'DELETE'], `${APPLICATION}/entitlements/:entitlement`, 'reads or deletes one entitlement: read the list'],
  [['POST'], `${APPLICATION}/entitlements/:entitlement/consume`, 'consumes a one-time purchase'],
  [['GET'], '/skus/:sku/subscriptions', 'lists the subscriptions to a product'],
  [['GET'], `/users/@me${APPLICATION}/entitlements`, 'lists what the player owns: a backend reads the entitlements of a user'],
  [['POST'], `${APPLICATION}/attachment`, 'uploads a picture for an Activity'],
  [['POST'], `${APPLICATION}/quick-links`, 'creates a link that an Activity shares'],
  [['GET'], '/users/@me/guilds/:guild/member', 'reads the membership of the player in a guild'],
  [['GET', 'PUT', 'DELETE'], `/users/@me${APPLICATION}/role-connection`, "reads or writes the player's data for linked roles"],
  [['GET', 'PUT'], `${APPLICATION}/role-connections/metadata`, 'reads or writes the fields of linked roles'],
  [['GET'], '/users/@me/connections', 'lists the accounts that the player has connected'],
  [
    ['PUT'],
    '/partner-sdk/dms/:first/:second/messages/:message/moderation-metadata',
    'moderates a direct message: the emulator has none, moderate messages of lobbies',
  ],
]

export function createUnservedRoutes(): Hono {
  const routes = new Hono()
  for (const [methods, path, what] of UNSERVED)
    routes.on(methods, path, (c) => {
      throw notEmulated(`${c.req.method} ${path.replaceAll(/:(\w+)/g, '<$1>')} ${what}`)
    })
  return routes
}

function notEmulated(what: string): ApiError {
  const message = `The emulator does not emulate this endpoint. The service ${what.replace(/^\S+ \S+ /, '')}.`
  return new ApiError({ status: 501, code: 0, message, rule: `not emulated: ${what}` })
}
