/** Serves the installation of the application: a page, an entry in the state, and no code. */
import { Hono, type Context } from 'hono'
import { describeAuthorizationError } from './describe-authorization-error.js'
import { headerText } from '../../foundation/header-text.js'
import { describeScopes, isInstallOnly, splitScopes } from '../../model/scope.js'
import {
  installedPage,
  INSTALLED_PATH,
  installPage,
  notInstalledPage,
  type Install,
} from '../../pages/documents/install-page.js'
import { pagePolicy } from '../../pages/documents/document.js'
import { refusalPage } from '../../pages/documents/refusal-page.js'
import { GUILD_INSTALL, USER_INSTALL } from '../../state/installations.js'
import { eventUser } from '../../model/service-event.js'
import { readForm } from '../request/read-json.js'
import type { EmulatorContext } from '../../state/emulator-context.js'

/** True for a request that only installs. Without `scope`, the application's default install settings apply. */
export function isInstallRequest(query: URLSearchParams): boolean {
  const scopes = splitScopes(query.get('scope') ?? undefined)
  return scopes.length === 0
    ? !query.has('response_type') && !query.has('redirect_uri')
    : isInstallOnly(scopes)
}

export function createInstall(context: EmulatorContext): Hono {
  const routes = new Hono()
  routes.use('/oauth2/*', async (c, next) => {
    c.header('Content-Security-Policy', pagePolicy())
    await next()
  })
  routes.get('/oauth2/authorize', (c) => refusal(c, context) ?? c.html(installPage(pageOf(c, context))))
  routes.post('/oauth2/authorize', async (c) => refusal(c, context) ?? install(c, context))
  routes.get(INSTALLED_PATH, (c) => {
    const { application, guilds } = context.seed
    const place = c.req.query('in')
    if (place === undefined) return c.html(notInstalledPage(application.name))
    return c.html(
      installedPage(
        application.name,
        guilds.find(({ id }) => id === place)?.name ?? 'the player’s own account',
      ),
    )
  })
  return routes
}

function refusal(c: Context, { seed }: EmulatorContext): Response | Promise<Response> | undefined {
  const clientId = c.req.query('client_id')
  if (clientId === seed.application.id) return undefined
  const error = clientId === undefined ? 'invalid_request' : 'invalid_client'
  const description = clientId === undefined ? "missing required parameter 'client_id'" : 'client is invalid'
  const refused = describeAuthorizationError(
    { error, description, parameters: { client_id: clientId } },
    seed.application,
  )
  c.header('X-Emulator-Rule', headerText(refused.rule))
  return c.html(refusalPage(refused), 400)
}

function pageOf(c: Context, { seed }: EmulatorContext): Install {
  const scopes = splitScopes(c.req.query('scope'))
  const guildId = c.req.query('guild_id')
  return {
    applicationName: seed.application.name,
    players: seed.players,
    guilds: seed.guilds,
    scopes: describeScopes(scopes.length === 0 ? ['applications.commands'] : scopes),
    integrationType: c.req.query('integration_type') === '1' ? 'user' : 'guild',
    guildId,
    guildFixed: ['true', 'True', '1'].includes(c.req.query('disable_guild_select') ?? ''),
  }
}

async function install(c: Context, context: EmulatorContext): Promise<Response> {
  const form = await readForm(c)
  if (form['decision'] !== 'approve') return c.redirect(INSTALLED_PATH, 303)
  const { seed, state, events } = context
  const page = pageOf(c, context)
  const player = seed.players.find(({ id }) => id === form['as'])
  const forUser = (form['integration_type'] ?? (page.integrationType === 'user' ? '1' : '0')) === '1'
  const wanted = form['guild_id'] ?? page.guildId ?? seed.guilds[0]?.id
  const guild = seed.guilds.find(({ id }) => id === wanted)
  if (player === undefined || (!forUser && guild === undefined))
    return c.html(installPage({ ...page, problem: 'Choose a player, and a guild that exists here.' }), 400)
  const ownerId = forUser || guild === undefined ? player.id : guild.id
  state.installations.add({
    applicationId: seed.application.id,
    integrationType: forUser ? USER_INSTALL : GUILD_INSTALL,
    ownerId,
    userId: player.id,
    scope: page.scopes.map(({ name }) => name).join(' '),
    permissions: c.req.query('permissions') ?? null,
  })
  const scopes = page.scopes.map(({ name }) => name)
  const place =
    forUser || guild === undefined
      ? { integration_type: 1 }
      : { integration_type: 0, guild: { id: guild.id, name: guild.name } }
  events.emit({ name: 'application.authorized', data: { user: eventUser(player), scopes, ...place } })
  return c.redirect(`${INSTALLED_PATH}?in=${ownerId}`, 303)
}
