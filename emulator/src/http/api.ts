/** The parts of the API that are no OAuth endpoints: who the player is, and what the application may do. */
import { Hono, type Context } from 'hono'
import type { AccessToken, Provider } from 'oidc-provider'
import { avatarUrl, locale } from '../oauth/claims.js'
import { showsProfile } from '../oauth/scopes.js'
import type { Player } from '../seed/seed.js'
import type { Service } from '../service.js'

interface Caller {
  token: AccessToken
  scopes: Set<string>
  player: Player
}

export function createApi(service: Service, provider: Provider): Hono {
  const api = new Hono()
  const authorized = (handle: (c: Context, caller: Caller) => Response) => async (c: Context) => {
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
    authorized((c, { token, scopes, player }) => {
      const { id, name } = service.seed.application
      const user = showsProfile(scopes) ? { user: userPayload(player, scopes, service.url) } : {}
      return c.json({
        application: { id, name, icon: null, description: '' },
        scopes: [...scopes],
        expires: new Date((token.exp ?? 0) * 1000).toISOString(),
        ...user,
      })
    }),
  )
  return api
}

export function notFound(c: Context): Response {
  return refuse(c, { status: 404, code: 0, message: '404: Not Found', rule: 'no such route' })
}

async function authenticate(c: Context, { seed, state }: Service, provider: Provider): Promise<Caller | Response> {
  const [scheme, value = ''] = (c.req.header('authorization') ?? '').split(' ')
  if (scheme !== 'Bearer' || value === '') return unauthorized(c, 'the Authorization header is not "Bearer <access token>"')
  const token = await provider.AccessToken.find(value)
  const player = seed.players.find(({ id }) => id === token?.accountId)
  if (token === undefined || player === undefined) return unauthorized(c, fateOf(value, state.records))
  return { token, player, scopes: token.scopes }
}

function fateOf(token: string, records: Service['state']['records']): string {
  const fate = records.fate('AccessToken', token)
  if (fate !== undefined) return `the access token no longer works: ${fate}`
  return records.find('AccessToken', token) === undefined ? 'the access token was never issued here' : 'the access token is expired'
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
    locale,
    ...(scopes.has('email') ? { email: player.email, verified: true } : {}),
  }
}
