/** The parts of the API that are no OAuth endpoints: who the player is, and what the application may do. */
import { Hono, type Context } from 'hono'
import type { Provider } from 'oidc-provider'
import { findBearer, type Bearer } from './bearer.js'
import { avatarUrl } from '../oauth/claims.js'
import { showsProfile } from '../oauth/scopes.js'
import type { Player } from '../seed/seed.js'
import type { Service } from '../service.js'

export function createApi(service: Service, provider: Provider): Hono {
  const api = new Hono()
  const authorized = (handle: (c: Context, caller: Bearer) => Response) => async (c: Context) => {
    const caller = await authenticate(c, service, provider)
    return caller instanceof Response ? caller : handle(c, caller)
  }
  api.get(
    '/users/@me',
    authorized((c, { scopes, player }) => {
      if (!showsProfile(scopes))
        return refuse(c, {
          status: 403,
          code: 50026,
          message: 'Missing required OAuth2 scope',
          rule: 'the token has none of the scopes identify, sdk.social_layer, sdk.social_layer_presence',
        })
      return c.json(userPayload(player, scopes, service.url))
    }),
  )
  api.get(
    '/oauth2/@me',
    authorized((c, { scopes, player, expires }) => {
      const { id, name } = service.seed.application
      const user = showsProfile(scopes) ? { user: userPayload(player, scopes, service.url) } : {}
      return c.json({
        application: { id, name, icon: null, description: '' },
        scopes: [...scopes],
        expires: new Date(expires * 1000).toISOString(),
        ...user,
      })
    }),
  )
  return api
}

export function notFound(c: Context): Response {
  return refuse(c, { status: 404, code: 0, message: '404: Not Found', rule: 'no such route' })
}

async function authenticate(c: Context, service: Service, provider: Provider): Promise<Bearer | Response> {
  const [scheme, value = ''] = (c.req.header('authorization') ?? '').split(' ')
  if (scheme !== 'Bearer' || value === '') return unauthorized(c, 'the Authorization header is not "Bearer <access token>"')
  const bearer = await findBearer(value, service, provider)
  return typeof bearer === 'string' ? unauthorized(c, bearer) : bearer
}

function unauthorized(c: Context, rule: string): Response {
  return refuse(c, { status: 401, code: 0, message: '401: Unauthorized', rule })
}

function refuse(
  c: Context,
  { status, code, message, rule }: { status: 401 | 403 | 404; code: number; message: string; rule: string },
): Response {
  return c.json({ message, code }, status, { 'X-Emulator-Rule': rule })
}

function userPayload(player: Player, scopes: Set<string>, url: string): Record<string, unknown> {
  return {
    id: player.id,
    username: player.username,
    discriminator: '0',
    global_name: player.globalName,
    avatar: avatarUrl(player, url),
    flags: 0,
    public_flags: 0,
    locale: player.locale,
    ...(scopes.has('email') ? { email: player.email, verified: true } : {}),
  }
}
