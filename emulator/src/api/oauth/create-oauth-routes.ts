/** Routes of the authorization server library. */
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context } from 'hono'
import type { Provider } from 'oidc-provider'
import { isInstallRequest } from './create-install.js'

type Bindings = { Bindings: HttpBindings }

/** Below the root of the API. HEAD goes with GET. */
const OAUTH_API: Record<string, string[]> = {
  '/oauth2/token': ['POST'],
  '/oauth2/token/revoke': ['POST'],
  '/oauth2/device/authorize': ['POST'],
  '/oauth2/keys': ['GET'],
  '/oauth2/userinfo': ['GET', 'POST'],
}

export const oauthApiPaths = Object.keys(OAUTH_API)

/**
 * The authorize request without its page: a game checks, next to its popup, whether the popup shows an error. It needs no cookie, and no
 * consent.
 */
const AUTHORIZE_CHECK = '/.well-known/authorize-check'

export function createOauthRoutes(provider: Provider, api: string): Hono<Bindings> {
  const routes = new Hono<Bindings>()
  const callback = provider.callback()
  const oauth = async ({ env }: Context<Bindings>) => {
    await callback(env.incoming, env.outgoing)
    return RESPONSE_ALREADY_SENT
  }
  routes.all(AUTHORIZE_CHECK, (c) => {
    const { incoming } = c.env
    incoming.url = `/oauth2/authorize${new URL(c.req.url).search}`
    incoming.headers.accept = 'application/json'
    return oauth(c)
  })
  routes.all('/oauth2/authorize', (c, next) =>
    isInstallRequest(new URL(c.req.url).searchParams) ? next() : oauth(c),
  )
  for (const path of [
    '/oauth2/authorize/:uid{[\\w-]+}',
    '/activate',
    '/activate/:uid{[\\w-]+}',
    '/.well-known/:name{[\\w-]+}',
  ])
    routes.all(path, oauth)
  for (const [path, methods] of Object.entries(OAUTH_API)) routes.on(methods, api + path, oauth)
  return routes
}
