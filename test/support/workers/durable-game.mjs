/** A game's backend in one Durable Object: sessions, tickets, interactions and the lobby hub, and its stores as a service for their suites. */
import {
  ApplicationClient,
  botToken,
  clientSecret,
  createInteractionHandler,
  createLobbyHub,
  createPlayerTickets,
  createPlayerVerifier,
  createSessionHandler,
  defineCommand,
  memoryLobbyBroker,
} from 'foyer-sdk/server'
import {
  durableObjectPurchaseStore,
  durableObjectSessionStore,
  durableObjectStore,
  removeExpired,
} from 'foyer-sdk/workers'

/** Brokers by their groups, and what their listeners have heard. */
const brokers = new Map()
const listeners = new Map()

/** Moved by the tests of the stores. */
const time = { passed: 0 }
const clock = {
  now: () => Date.now() + time.passed,
  after(delay, callback) {
    const timer = setTimeout(() => callback(), delay)
    return () => clearTimeout(timer)
  },
}

export class Game {
  constructor(state, env) {
    this.storage = state.storage
    this.started = crypto.randomUUID()
    const application = { applicationId: env.FOYER_APPLICATION_ID, service: { host: env.FOYER_HOST } }
    const client = new ApplicationClient({ ...application, credentials: botToken(env.FOYER_BOT_TOKEN) })
    const verify = createPlayerVerifier({ ...application, accessTokens: true })
    const store = durableObjectStore(state.storage)
    this.verify = verify
    this.hub = createLobbyHub({ client, verify })
    this.tickets = createPlayerTickets({
      applicationId: env.FOYER_APPLICATION_ID,
      verify,
      purposes: ['match'],
      store,
    })
    this.session = createSessionHandler({
      ...application,
      credentials: clientSecret(env.FOYER_CLIENT_SECRET),
      origins: ['https://game.example'],
      store: durableObjectSessionStore(state.storage),
    })
    const duel = defineCommand({ name: 'duel', description: 'Challenge another player' }, async (call) => {
      await call.defer()
      await call.editReply('The duel begins')
      await call.followUp('And a second message')
    })
    this.commands = [duel]
    this.client = client
    this.interactions = createInteractionHandler({
      service: application.service,
      publicKey: env.FOYER_PUBLIC_KEY,
      commands: this.commands,
      replays: store,
    })
    this.state = state
  }

  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/session/'))
      return this.session(new Request(`https://game.example${pathname}`, request))
    if (pathname === '/interactions') return this.interactions(request, this.state)
    if (pathname.startsWith('/lobbies')) return this.hub(request)
    const [, part, ...names] = pathname.split('/')
    const given = await request.json()
    return Response.json(
      await this[part](given, ...names).then(
        (done) => ({ done }),
        (error) => ({ error: `${error.code ?? error.name}: ${error.message}` }),
      ),
    )
  }

  /** The one alarm of the object. */
  async alarm() {
    await removeExpired(this.storage)
  }

  async identity() {
    return this.started
  }

  async sync() {
    await this.client.commands.global.sync(this.commands.map(({ definition }) => definition))
    return (await this.client.commands.global.list()).length
  }

  async issue({ token }) {
    return this.tickets.issue(await this.verify(token), 'match')
  }

  async redeem({ ticket }) {
    return (await this.tickets.redeem(ticket, { purpose: 'match' })).id
  }

  async sessions(args, method) {
    return durableObjectSessionStore(this.storage, { clock })[method](...args)
  }

  async purchases(args, method) {
    return durableObjectPurchaseStore(this.storage, { clock })[method](...args)
  }

  async others(args, method) {
    return durableObjectStore(this.storage, { clock })[method](...args)
  }

  /** `subscribe` returns a number, with which `heard` takes the notes since the last call. */
  async broker(args, group, method) {
    if (!brokers.has(group)) brokers.set(group, memoryLobbyBroker({ clock }))
    const broker = brokers.get(group)
    if (method === 'subscribe') {
      const notes = []
      const end = broker.subscribe({ note: (text) => void notes.push(text), gap: () => undefined })
      return listeners.set(listeners.size, { notes, end }).size - 1
    }
    if (method === 'heard') {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return listeners.get(args[0]).notes.splice(0)
    }
    if (method === 'end') return listeners.get(args[0]).end()
    return broker[method](...args)
  }

  async pass(ms) {
    time.passed += ms
  }

  /** Entries with an end in the storage after all that had ended were removed, and whether there is an alarm. */
  async sweep() {
    await removeExpired(this.storage, { clock })
    const entries = await this.storage.list({ prefix: 'foyer:' })
    return { entries: entries.size, alarm: (await this.storage.getAlarm()) !== null }
  }
}

/** A class without the method `alarm`. */
export class Forgetful {
  constructor(state) {
    this.storage = state.storage
  }

  async fetch() {
    const steps = []
    const logger = (_level, step) => void steps.push(step)
    const store = durableObjectStore(this.storage, { logger })
    await store.put('1:ticket:a', 'x', 1000)
    await store.put('1:ticket:b', 'x', 1000)
    return Response.json({ steps, taken: await store.take('1:ticket:a') })
  }
}

export default {
  fetch(request, env) {
    const objects = new URL(request.url).pathname === '/forgetful' ? env.FORGETFUL : env.GAME
    return objects.get(objects.idFromName('game')).fetch(request)
  },
}
