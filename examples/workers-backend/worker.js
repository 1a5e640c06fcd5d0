// The game's backend, in one Durable Object: sessions, live lobbies, tickets and interactions, without a database beside it.
import {
  ApplicationClient,
  botToken,
  clientSecret,
  createInteractionHandler,
  createLobbyHub,
  createPlayerTickets,
  createSessionHandler,
  defineCommand,
} from 'foyer-sdk/server'
import { durableObjectSessionStore, durableObjectStore, removeExpired } from 'foyer-sdk/workers'

const score = defineCommand(
  { name: 'score', description: 'Shows your score' },
  ({ user }) => `${user.username} has 42 points.`,
)

export class Game {
  constructor(state, env) {
    this.state = state
    const service = { host: env.FOYER_HOST }
    const applicationId = env.FOYER_APPLICATION_ID
    const client = new ApplicationClient({
      applicationId,
      service,
      credentials: botToken(env.FOYER_BOT_TOKEN),
    })
    // It keeps the tokens, also while the object is not running. The page has a cookie that it cannot read.
    this.session = createSessionHandler({
      applicationId,
      service,
      credentials: clientSecret(env.FOYER_CLIENT_SECRET),
      origins: [env.ORIGIN],
      store: durableObjectSessionStore(state.storage),
      tokens: 'none',
    })
    const { verify } = this.session
    this.lobbies = createLobbyHub({ client, verify })
    const store = durableObjectStore(state.storage)
    this.tickets = createPlayerTickets({ applicationId, verify, purposes: ['match'], store })
    const { FOYER_PUBLIC_KEY: publicKey } = env
    this.interactions = createInteractionHandler({ publicKey, commands: [score], service, replays: store })
    state.waitUntil(client.commands.global.sync([score.definition]).catch(console.error))
  }

  fetch(request) {
    const [, part] = new URL(request.url).pathname.split('/')
    if (part === 'session') return this.session(request)
    if (part === 'lobbies') return this.lobbies(request)
    if (part === 'tickets') return this.tickets(request)
    if (part === 'interactions') return this.interactions(request, this.state)
    return new Response('Not found', { status: 404 })
  }

  // Deletes sessions and tickets that have ended.
  alarm() {
    return removeExpired(this.state.storage)
  }
}

// All requests of the game reach one object, since two objects share nothing.
export default {
  async fetch(request, env) {
    try {
      return await env.GAME.get(env.GAME.idFromName('game')).fetch(request)
    } catch (error) {
      // In the terminal, and in the log of the host. Without this, the runtime on this machine shows nothing.
      console.error(error)
      return new Response('The backend failed: see its log.', { status: 500 })
    }
  },
}
