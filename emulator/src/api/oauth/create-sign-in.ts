/** Serves the consent page, and passes the player's decision to the authorization server. */
import { playerSender, setSender } from '../request/log-request.js'
import { readForm } from '../request/read-json.js'
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import type { Provider } from 'oidc-provider'
import { probeCallback } from './probe-callback.js'
import { notFound } from '../../check/api-error.js'
import { describeScopes, splitScopes } from '../../model/scope.js'
import { document, consentPolicy, pagePolicy, policySource } from '../../pages/documents/document.js'
import { signInPage } from '../../pages/documents/sign-in-page.js'
import { GUILD_INSTALL, USER_INSTALL } from '../../state/installations.js'
import { eventUser } from '../../model/service-event.js'
import type { EmulatorContext } from '../../state/emulator-context.js'

type Interaction = InstanceType<Provider['Interaction']>
type Bindings = { Bindings: HttpBindings }
type SignInContext = Context<Bindings, '/:uid' | '/:uid/callback'>

export function createSignIn(context: EmulatorContext, provider: Provider): Hono<Bindings> {
  const routes = new Hono<Bindings>()
  routes.get('/:uid', async (c) => {
    const interaction = await find(c, provider)
    return interaction === undefined ? gone(c) : show(c, interaction, context)
  })
  routes.get('/:uid/callback', async (c) => {
    const interaction = await find(c, provider)
    if (interaction === undefined) return notFound(c)
    const address = parameter(interaction, 'redirect_uri')
    return c.json({ problem: (await probeCallback(address)) ?? null, address: address ?? null })
  })
  routes.post('/:uid', async (c) => {
    const interaction = await find(c, provider)
    if (interaction === undefined) return gone(c)
    const form = await readForm(c)
    const player = context.seed.players.find(({ id }) => id === form['as'])
    if (player !== undefined) setSender(c.env.incoming, playerSender(player))
    if (form['decision'] !== 'approve')
      return finish(c, interaction, {
        error: 'access_denied',
        error_description: 'The player denied the request',
      })
    if (player === undefined) return show(c, interaction, context)
    recordInstallation(interaction, player.id, context)
    const scopes = splitScopes(parameter(interaction, 'scope'))
    context.events.emit({ name: 'application.authorized', data: { user: eventUser(player), scopes } })
    return finish(c, interaction, {
      login: { accountId: player.id },
      consent: { grantId: await grant(interaction, player.id, provider) },
    })
  })
  return routes
}

/** Finds the interaction of this browser: the cookie must name the same interaction as the path. */
async function find(c: SignInContext, provider: Provider): Promise<Interaction | undefined> {
  const uid = c.req.param('uid')
  const { cookies } = provider.createContext(c.env.incoming, c.env.outgoing)
  return cookies.get(provider.cookieName('interaction')) === uid ? provider.Interaction.find(uid) : undefined
}

function show(
  c: SignInContext,
  interaction: Interaction,
  { seed }: EmulatorContext,
): Response | Promise<Response> {
  const redirectUri = parameter(interaction, 'redirect_uri')
  c.header(
    'Content-Security-Policy',
    consentPolicy(redirectUri === undefined ? undefined : policySource(redirectUri)),
  )
  return c.html(
    signInPage({
      applicationName: seed.application.name,
      players: seed.players,
      lastPlayer: interaction.session?.accountId,
      scopes: describeScopes(splitScopes(parameter(interaction, 'scope'))),
      redirectUri,
    }),
  )
}

async function grant(interaction: Interaction, accountId: string, provider: Provider): Promise<string> {
  const granted = new provider.Grant({ accountId, clientId: parameter(interaction, 'client_id') })
  granted.addOIDCScope(parameter(interaction, 'scope') ?? '')
  return granted.save()
}

async function finish(
  c: SignInContext,
  interaction: Interaction,
  result: NonNullable<Interaction['result']>,
): Promise<Response> {
  interaction.result = result
  // Another request of this browser may have changed the session since: do not write it back.
  interaction.session = undefined
  await interaction.persist()
  return c.redirect(interaction.returnTo, 303)
}

function recordInstallation(
  interaction: Interaction,
  userId: string,
  { seed, state }: EmulatorContext,
): void {
  const scopes = splitScopes(parameter(interaction, 'scope')).filter(
    (name) => name === 'applications.commands' || name === 'bot',
  )
  if (scopes.length === 0) return
  const guildId = parameter(interaction, 'guild_id')
  const forGuild =
    parameter(interaction, 'integration_type') !== '1' && seed.guilds.some(({ id }) => id === guildId)
  state.installations.add({
    applicationId: seed.application.id,
    integrationType: forGuild ? GUILD_INSTALL : USER_INSTALL,
    ownerId: forGuild && guildId !== undefined ? guildId : userId,
    userId,
    scope: scopes.join(' '),
    permissions: parameter(interaction, 'permissions') ?? null,
  })
}

function parameter(interaction: Interaction, name: string): string | undefined {
  const value = interaction.params[name]
  return typeof value === 'string' ? value : undefined
}

function gone(c: SignInContext): Response | Promise<Response> {
  c.header('Content-Security-Policy', pagePolicy())
  c.header('X-Emulator-Rule', 'this sign-in was answered before, is too old, or began in another browser')
  const page = document({
    heading: 'This sign-in is over',
    intro:
      'It was answered before, is too old, or began in another browser, or the emulator was started anew without --state since. Go back to the game and start again.',
    tone: 'bad',
  })
  return c.html(page, 400)
}
