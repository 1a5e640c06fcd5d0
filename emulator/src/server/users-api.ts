/** The parts of the API that are no OAuth endpoints: who the player is, and what the application may do. */
import { Hono, type Context } from 'hono'
import { avatarUrl } from '../auth/claims.js'
import { showsProfile } from '../model/scopes.js'
import type { Player } from '../seed/seed.js'
import type { EmulatorContext } from '../context/context.js'
import { botPayload } from '../guilds/user-payloads.js'
import type { Authenticate, BotCaller } from '../auth/authenticate.js'
import type { Bearer } from '../auth/bearer.js'
import { refuse, unauthorized } from '../api/refuse.js'

/** The flag of an application that has an Activity. */
const embedded = 1 << 17

export function createApi(context: EmulatorContext, authenticate: Authenticate): Hono {
  const api = new Hono()
  const authorized = (handle: (c: Context, caller: Bearer) => Response) => async (c: Context) => {
    const caller = await authenticate(c.req.header('authorization'))
    if (caller.kind === 'bot') return unauthorized(c, 'this is for players: the token must be "Bearer <access token>"')
    return caller.kind === 'stranger' ? unauthorized(c, caller.rule) : handle(c, caller)
  }
  const asBot = (handle: (c: Context, caller: BotCaller) => Response) => async (c: Context) => {
    const caller = await authenticate(c.req.header('authorization'))
    if (caller.kind === 'bot') return handle(c, caller)
    return unauthorized(c, caller.kind === 'stranger' ? caller.rule : 'this is for the application: the token must be "Bot <bot token>"')
  }
  const ofPlayer = authorized(currentUser(context))
  api.get('/users/@me', async (c) => {
    const caller = await authenticate(c.req.header('authorization'))
    return caller.kind === 'bot' ? c.json(botPayload(context)) : ofPlayer(c)
  })
  api.get('/oauth2/@me', authorized(currentAuthorization(context)))
  const currentApplication = asBot((c, { applicationId }) => c.json(applicationPayload(context, applicationId)))
  for (const path of ['/oauth2/applications/@me', '/applications/@me']) api.get(path, currentApplication)
  // Clients that only know the API's address look for the page there.
  api.get('/oauth2/authorize', (c) => c.redirect(`/oauth2/authorize${new URL(c.req.url).search}`))
  return api
}

function currentUser({ url }: EmulatorContext) {
  return (c: Context, { player, scopes }: Bearer): Response => {
    if (showsProfile(scopes)) return c.json(userPayload(player, scopes, url))
    const rule = 'the token has none of the scopes identify, sdk.social_layer, sdk.social_layer_presence'
    return refuse(c, { status: 403, code: 50026, message: 'Missing required OAuth2 scope', rule })
  }
}

/** The player is in it for the scope `identify` alone: the sdk scopes do not bring that one along. */
function currentAuthorization(context: EmulatorContext) {
  return (c: Context, { applicationId, player, scopes, expires }: Bearer): Response =>
    c.json({
      application: applicationPayload(context, applicationId),
      scopes: [...scopes],
      expires: new Date(expires * 1000).toISOString(),
      ...(scopes.has('identify') ? { user: userPayload(player, scopes, context.url) } : {}),
    })
}

function applicationPayload({ seed, credentials }: EmulatorContext, id: string): Record<string, unknown> {
  const { name } = seed.application.children.find((child) => child.id === id) ?? seed.application
  return {
    id,
    name,
    icon: null,
    description: '',
    hook: true,
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: credentials.publicKey,
    flags: seed.application.activities ? embedded : 0,
  }
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
