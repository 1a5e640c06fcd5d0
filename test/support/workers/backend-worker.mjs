/** A game's backend as a Worker: one of each part for all requests of the isolate. Reports what each part did, or its error. */
import {
  ApplicationClient,
  botToken,
  clientSecret,
  createEventHandler,
  createInteractionHandler,
  createPlayerTickets,
  createPlayerVerifier,
  createSessionHandler,
  defineCommand,
  memorySessionStore,
} from 'foyer-sdk/server'

let backend

function createBackend(env) {
  const application = { applicationId: env.FOYER_APPLICATION_ID, service: { host: env.FOYER_HOST } }
  const credentials = clientSecret(env.FOYER_CLIENT_SECRET)
  const verify = createPlayerVerifier({ ...application, accessTokens: true })
  const commands = [
    defineCommand({ name: 'duel', description: 'Challenge another player' }, async (interaction) => {
      await interaction.defer()
      await interaction.editReply('The duel begins')
      await interaction.followUp('And a second message')
    }),
  ]
  const events = []
  return {
    client: new ApplicationClient({
      ...application,
      credentials: botToken(env.FOYER_BOT_TOKEN),
      clientSecret: env.FOYER_CLIENT_SECRET,
    }),
    verify,
    events,
    tickets: createPlayerTickets({ applicationId: env.FOYER_APPLICATION_ID, verify, purposes: ['match'] }),
    session: createSessionHandler({
      ...application,
      credentials,
      origins: ['https://game.example'],
      store: memorySessionStore(),
    }),
    interactions: createInteractionHandler({
      service: application.service,
      publicKey: env.FOYER_PUBLIC_KEY,
      commands,
    }),
    event: createEventHandler({
      publicKey: env.FOYER_PUBLIC_KEY,
      on: { other: ({ type }) => void events.push(type) },
    }),
    commands,
  }
}

const parts = {
  async commands({ client, commands }) {
    await client.commands.global.sync(commands.map(({ definition }) => definition))
    return (await client.commands.global.list()).length
  },
  async lobby({ client }) {
    const { id } = await client.lobbies.create({ metadata: { mode: 'ranked' } })
    return (await client.lobbies.get(id)).metadata
  },
  async refresh({ client }, { refreshToken }) {
    return typeof (await client.tokens.refresh(refreshToken)).accessToken
  },
  async verify({ verify }, { accessToken }) {
    return (await verify(accessToken)).id
  },
  async ticket({ tickets, verify }, { accessToken }) {
    const ticket = await tickets.issue(await verify(accessToken), 'match')
    return (await tickets.redeem(ticket, { purpose: 'match' })).id
  },
  async received({ events }) {
    return events
  },
  async requestedFromElsewhere(_, { elsewhere }, env) {
    const service = { host: elsewhere }
    const other = new ApplicationClient({
      applicationId: env.FOYER_APPLICATION_ID,
      credentials: botToken(env.FOYER_BOT_TOKEN),
      service,
    })
    return other.lobbies.get('1')
  },
}

const codeOf = (error) => `${error.code ?? error.name}: ${error.message}`

export default {
  async fetch(request, env, context) {
    backend ??= createBackend(env)
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/session/'))
      return backend.session(new Request(`https://game.example${pathname}`, request))
    if (pathname === '/interactions') return backend.interactions(request, context)
    if (pathname === '/events') return backend.event(request, context)
    const part = parts[pathname.slice(1)]
    const given = await request.json()
    return Response.json(
      await part(backend, given, env).then(
        (done) => ({ done }),
        (error) => ({ error: codeOf(error) }),
      ),
    )
  },
}
