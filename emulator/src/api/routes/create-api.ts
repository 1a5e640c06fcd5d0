/** Endpoints for the current user, authorization and application. */
import { Hono, type Context } from 'hono'
import { scopeNames, showsProfile } from '../../model/scope.js'
import { USER_INSTALL } from '../../state/installations.js'
import type { Player } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { botPayload, userPayload as publicUser } from '../../service/guilds/user-payload.js'
import { applicationFlags } from '../../service/guilds/application-flags.js'
import { findUser } from '../../state/find-user.js'
import { checkId } from '../request/read-json.js'
import { callerOf, requireBot } from '../request/caller.js'
import type { Bearer } from '../../service/oauth/find-bearer.js'
import { unknownUser } from '../../check/lobby-errors.js'
import type { InteractionService } from '../../service/interactions/interaction-service.js'
import { missingScope, unauthorized } from '../../check/api-error.js'

const authorized = (handle: (c: Context, caller: Bearer) => Response) => (c: Context) => {
  const caller = callerOf(c)
  if (caller.kind === 'bot')
    throw unauthorized('this is for players: the token must be "Bearer <access token>"')
  if (caller.kind === 'unknown') throw unauthorized(caller.rule)
  return handle(c, caller)
}

export function createApi(context: EmulatorContext, backend: Pick<InteractionService, 'url'>): Hono {
  const api = new Hono()
  const ofPlayer = authorized(currentUser())
  api.get('/users/@me', (c) => {
    const caller = callerOf(c)
    return caller.kind === 'bot'
      ? c.json({ ...botPayload(context), mfa_enabled: false, locale: 'en-US' })
      : ofPlayer(c)
  })
  api.get('/users/:user', (c) => {
    requireBot(c)
    const user = findUser(checkId(c.req.param('user'), 'user_id'), context)
    if (user === undefined) throw unknownUser('no user has this id')
    return c.json(publicUser(user))
  })
  api.get('/oauth2/@me', authorized(currentAuthorization(context)))
  const currentApplication = (c: Context) => {
    const { applicationId } = requireBot(c)
    return c.json({
      ...applicationPayload(context, applicationId),
      ...privateFields(context, backend),
    })
  }
  for (const path of ['/oauth2/applications/@me', '/applications/@me']) api.get(path, currentApplication)
  // Some clients look for the page below the API root.
  api.get('/oauth2/authorize', (c) => c.redirect(`/oauth2/authorize${new URL(c.req.url).search}`))
  return api
}

function currentUser() {
  return (c: Context, { player, scopes }: Bearer): Response => {
    if (showsProfile(scopes)) return c.json(userPayload(player, scopes))
    throw missingScope('the token does not have the scope identify, which both sdk scopes include')
  }
}

/** Contains the user only with the scope `identify`, which both sdk scopes include. */
function currentAuthorization(context: EmulatorContext) {
  return (c: Context, { applicationId, player, scopes, expires }: Bearer): Response =>
    c.json({
      application: applicationPayload(context, applicationId),
      scopes: [...scopes],
      expires: new Date(expires * 1000).toISOString(),
      ...(scopes.has('identify') ? { user: userPayload(player, scopes) } : {}),
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
    type: null,
    flags: applicationFlags(seed.application),
    flags_new: String(applicationFlags(seed.application)),
  }
}

/** Fields that an application sees of itself alone. Of its team nothing is known (assumed). */
function privateFields(
  context: EmulatorContext,
  { url }: Pick<InteractionService, 'url'>,
): Record<string, unknown> {
  const { application, guilds } = context.seed
  const owner = findUser(application.ownerId, context)
  const ofUsers = context.state.installations.list().filter((each) => each.integrationType === USER_INSTALL)
  return {
    owner: owner === undefined ? botPayload(context) : publicUser(owner),
    team: null,
    redirect_uris: application.redirectUris,
    interactions_endpoint_url: url ?? null,
    role_connections_verification_url: null,
    approximate_guild_count: guilds.filter(({ installed }) => installed).length,
    approximate_user_install_count: ofUsers.length,
    approximate_user_authorization_count: 0,
    explicit_content_filter: 0,
    eligible_oauth2_scopes: scopeNames,
  }
}

function userPayload(player: Player, scopes: Set<string>): Record<string, unknown> {
  return {
    ...publicUser(player),
    mfa_enabled: false,
    locale: player.locale,
    ...(scopes.has('email') ? { email: player.email, verified: true } : {}),
  }
}
