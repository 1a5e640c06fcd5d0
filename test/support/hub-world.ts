/** Lobbies at a service, hubs of several processes and players' clients in one test process, in virtual time, with faults between them. */
import type {
  BrokerListener,
  Lobby as WireLobby,
  LobbyBroker,
  LobbyHub,
  LobbyHubOptions,
  Player,
} from 'foyer-sdk/server'
import { createLobbyHub, memoryLobbyBroker } from 'foyer-sdk/server'
import type { LobbyState } from 'foyer-sdk'
import { PlayerLobbyStream } from './internals'
import { ManualClock } from './manual-clock'
import { lobbyCacheOf } from './lobby-cache-of'

/** Numbers from 0 to 1 that depend on the seed only (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const systemRandom = Math.random

const APPLICATION = '1082700000000000001'

export class HubWorld {
  readonly clock = new ManualClock()
  readonly random: () => number
  /** Members by lobby, as the service has them. */
  readonly lobbies = new Map<string, Map<string, string>>()
  /** Ids of the lobbies of each player. */
  readonly #lobbiesOf = new Map<string, Set<string>>()
  /** Responses to requests for a stream. */
  readonly responses: { readonly at: number; readonly status: number; readonly process: number }[] = []
  readonly hubs: LobbyHub[] = []
  readonly players: WorldPlayer[] = []
  /** Reads at the service. */
  reads = 0
  /** While set, the service refuses reads with it. */
  refusal: Error | undefined
  /** Reads the names of players, whose tokens then hold none. */
  users: LobbyHubOptions['client']['users']
  /** Whether the broker loses, repeats and delays notes, and the service is slow. */
  isFaulty = true
  /** While set, answers of the broker about streams wait for it. */
  heldReads: Promise<void> | undefined
  /** While set, the broker stores streams after it. */
  heldWrites: Promise<void> | undefined
  /** Index of the process that receives no notes. */
  lostNotesOf: number | 'all' | undefined
  /** Reads of stored lobbies. */
  comparisons = 0
  /** Whether players record the lobbies that they have seen. */
  isSeenRecorded = true
  /** Streams that each process that starts from now on opens in a second; undefined: the default. */
  maxConnectsPerSecond: number | undefined
  /** ms until each process that starts from now on removes a player who is away; undefined: never. */
  removeAfter: number | undefined
  /** Removals of players from lobbies by the processes. */
  removals = 0
  /** Whether `saveBroker` can be called. */
  isRecording = false
  readonly #broker: LobbyBroker
  #stored: LobbyBroker
  /** Everything that was stored, so that it can be stored again without the last changes. */
  readonly #writes: ((broker: LobbyBroker) => Promise<unknown>)[] = []
  readonly #listeners: BrokerListener[] = []
  readonly #changed = new Set<(id: string) => void>()
  readonly #dead = new Set<LobbyHub>()

  constructor(seed: number, processes = 2) {
    this.random = createRandom(seed)
    // The waits of clients and processes are random too: a seed stands for one schedule only if it decides them.
    Math.random = this.random
    this.#stored = memoryLobbyBroker({ clock: this.clock })
    this.#broker = this.#createBroker()
    for (let i = 0; i < processes; i++) this.hubs.push(this.startHub())
  }

  /** Ends a process without notice: it can reach neither the broker nor the service any more. Its players stay connected until they are cut. */
  kill(hub: LobbyHub): void {
    this.#dead.add(hub)
  }

  /** Starts a process, with the broker of the others by default. */
  startHub(broker = this.#broker, options: Pick<LobbyHubOptions, 'logger'> = {}): LobbyHub {
    let hub: LobbyHub | undefined
    const isDead = (): boolean => !!hub && this.#dead.has(hub)
    const lobbies = {
      get: async (id: string) => (isDead() ? noAnswer() : this.#read(id)),
      removeMember: async (id: string, player: string) => {
        if (isDead()) noAnswer()
        this.removals += 1
        this.leave(player, id)
      },
      onChanged: (listener: (id: string) => void) => {
        this.#changed.add(listener)
        return () => void this.#changed.delete(listener)
      },
    }
    // Tokens are the ids of the players: their verification has tests of its own.
    const verify = async (given: string | Request): Promise<Player> => {
      const id = given instanceof Request ? (given.headers.get('authorization') ?? '').slice(7) : given
      const names = this.users ? {} : { username: `u${id}` }
      return { id, ...names, expiresAt: this.clock.now() + 86_400_000, claims: {} } as unknown as Player
    }
    const { maxConnectsPerSecond, removeAfter } = this
    const limits = {
      ...(maxConnectsPerSecond !== undefined && { maxConnectsPerSecond }),
      ...(removeAfter !== undefined && { removeAfter }),
    }
    const client = { lobbies, ...(this.users && { users: this.users }) }
    hub = createLobbyHub({
      client,
      verify,
      broker: failingWhen(isDead, broker),
      clock: this.clock,
      ...limits,
      ...options,
    })
    return hub
  }

  join(playerId: string, lobbyId: string, metadata = ''): void {
    const members = this.lobbies.get(lobbyId) ?? new Map<string, string>()
    this.lobbies.set(lobbyId, members.set(playerId, metadata))
    this.#lobbiesOf.set(playerId, (this.#lobbiesOf.get(playerId) ?? new Set()).add(lobbyId))
  }

  leave(playerId: string, lobbyId: string): void {
    this.lobbies.get(lobbyId)?.delete(playerId)
    this.#lobbiesOf.get(playerId)?.delete(lobbyId)
  }

  /** Reports a change by the backend's own client. */
  changedByBackend(lobbyId: string): void {
    for (const listener of this.#changed) listener(lobbyId)
  }

  /** Notes that were lost are reported as a gap, as by a broker whose connection was restored. */
  gap(process?: number): void {
    for (const [index, listener] of this.#listeners.entries())
      if (index === (process ?? index)) listener.gap()
  }

  /** Returns a function after which the broker stores what it stores now: a replica that lacks the last changes has become the master. */
  saveBroker(): () => Promise<void> {
    const count = this.#writes.length
    return async () => {
      this.#stored = memoryLobbyBroker({ clock: this.clock })
      for (const write of this.#writes.splice(0).slice(0, count)) await this.#write(write)
    }
  }

  /** Connects a player. `home`: index of the process that the client connects to; undefined: a random one each time. */
  player(id: string, home?: number): WorldPlayer {
    const player = new WorldPlayer(this, id, home)
    this.players.push(player)
    return player
  }

  /** Ends all processes: requests are answered with 503 until `startHub`. What the broker stores stays. */
  endHubs(): void {
    for (const hub of this.hubs.splice(0)) hub.close()
  }

  /** Advances the time in steps, and lets all work of each step end. */
  async pass(ms: number, step = 250): Promise<void> {
    for (let passed = 0; passed < ms; passed += step) {
      this.clock.advance(step)
      await settled()
    }
  }

  /** Lobbies of a player as the service has them, with their members. */
  truth(playerId: string): Record<string, Record<string, string>> {
    const own = [...(this.#lobbiesOf.get(playerId) ?? [])]
    return Object.fromEntries(own.map((id) => [id, Object.fromEntries(this.lobbies.get(id) ?? [])]))
  }

  close(): void {
    for (const player of this.players) player.stream.close()
    for (const hub of this.hubs) hub.close()
    Math.random = systemRandom
  }

  async #read(id: string): Promise<WireLobby> {
    this.reads += 1
    if (this.refusal) throw this.refusal
    const answer = (): WireLobby => {
      const members = [...(this.lobbies.get(id) ?? [])].map(([member, text]) => ({
        id: member,
        metadata: { text },
      }))
      return { id, application_id: APPLICATION, metadata: null, members } as unknown as WireLobby
    }
    // The service reads its state anywhere between request and response.
    await this.#delay()
    const lobby = answer()
    await this.#delay()
    if (this.isFaulty && this.random() < 0.1) throw new Error('the service fails')
    return lobby
  }

  async #delay(): Promise<void> {
    if (this.isFaulty && this.random() < 0.5)
      await new Promise<void>((resolve) => this.clock.after(this.random() * 2000, resolve))
  }

  async #write<T>(write: (broker: LobbyBroker) => Promise<T>): Promise<T> {
    if (this.isRecording) this.#writes.push(write)
    return write(this.#stored)
  }

  #createBroker(): LobbyBroker {
    return {
      nextVersion: (least) => this.#stored.nextVersion(least),
      put: (...args) => this.#write((broker) => broker.put(...args)),
      putNewest: (...args) => this.#write((broker) => broker.putNewest(...args)),
      take: (key) => this.#write((broker) => broker.take(key)),
      increment: (...args) => this.#write((broker) => broker.increment(...args)),
      removeMember: (...args) => this.#write((broker) => broker.removeMember(...args)),
      getAll: (keys) => {
        if (keys[0]?.startsWith('lobby:')) this.comparisons += 1
        return this.#stored.getAll(keys)
      },
      membersOf: async (sets) => {
        const members = await this.#stored.membersOf(sets)
        await this.heldReads
        return members
      },
      addMember: async (...args) => {
        await this.heldWrites
        await this.#write((broker) => broker.addMember(...args))
      },
      publish: async (text) => {
        for (const [index, listener] of this.#listeners.entries())
          if (this.lostNotesOf !== 'all' && this.lostNotesOf !== index) this.#deliver(listener, text)
      },
      subscribe: (listener) => {
        this.#listeners.push(listener)
        return () => void this.#listeners.splice(this.#listeners.indexOf(listener), 1)
      },
    }
  }

  #deliver(listener: BrokerListener, text: string): void {
    const times = this.isFaulty ? Math.floor(this.random() * 3) : 1
    for (let i = 0; i < times; i++) {
      if (this.isFaulty && this.random() < 0.5)
        this.clock.after(this.random() * 3000, () => listener.note(text))
      else listener.note(text)
    }
  }
}

const noAnswer = (): never => {
  throw new TypeError('no answer')
}

/** Calls of a dead process reach nobody. */
function failingWhen(isDead: () => boolean, broker: LobbyBroker): LobbyBroker {
  const through =
    <Given extends unknown[], Result>(call: (...args: Given) => Promise<Result>) =>
    async (...args: Given): Promise<Result> =>
      isDead() ? noAnswer() : call(...args)
  return {
    nextVersion: through((...args: Parameters<LobbyBroker['nextVersion']>) => broker.nextVersion(...args)),
    put: through((...args: Parameters<LobbyBroker['put']>) => broker.put(...args)),
    putNewest: through((...args: Parameters<LobbyBroker['putNewest']>) => broker.putNewest(...args)),
    increment: through((...args: Parameters<LobbyBroker['increment']>) => broker.increment(...args)),
    take: through((...args: Parameters<LobbyBroker['take']>) => broker.take(...args)),
    removeMember: through((...args: Parameters<LobbyBroker['removeMember']>) => broker.removeMember(...args)),
    getAll: through((...args: Parameters<LobbyBroker['getAll']>) => broker.getAll(...args)),
    membersOf: through((...args: Parameters<LobbyBroker['membersOf']>) => broker.membersOf(...args)),
    addMember: through((...args: Parameters<LobbyBroker['addMember']>) => broker.addMember(...args)),
    publish: through((...args: Parameters<LobbyBroker['publish']>) => broker.publish(...args)),
    subscribe: (listener) => broker.subscribe(listener),
  }
}

/** Client of a player: the real stream and the real cache, connected to a random process. */
export class WorldPlayer {
  readonly id: string
  readonly stream: PlayerLobbyStream
  readonly seen: { name: string; lobby: LobbyState }[] = []
  readonly pending: { lobbyId: string; messageId: string | undefined }[] = []
  /** Announcements, where those that arrive together count as one: each costs the player's client a read. */
  pendingBatches = 0
  /** Messages that were delivered with their content. */
  messages = 0
  #isInBatch = false
  readonly #world: HubWorld
  readonly #cache: ReturnType<typeof lobbyCacheOf>
  #cut = new AbortController()
  isOffline = false
  home: number | undefined

  constructor(world: HubWorld, id: string, home?: number) {
    this.home = home
    this.#world = world
    this.id = id
    const record = (name: string) => (lobby: LobbyState) => {
      latest.set(lobby.id, lobby)
      if (world.isSeenRecorded) this.seen.push({ name, lobby })
    }
    const latest = new Map<string, LobbyState>()
    this.#cache = lobbyCacheOf({
      created: record('created'),
      updated: record('updated'),
      ended: (lobbyId) => record('deleted')(latest.get(lobbyId) as LobbyState),
    })
    this.stream = new PlayerLobbyStream({
      clock: world.clock,
      log: () => undefined,
      url: 'https://game.test/lobbies',
      player: {
        isAllowed: () => true,
        lobbyIds: () => this.#cache.all().map((lobby) => lobby.id),
        fetch: (url, init) => this.#fetch(url, init),
      },
      listener: (update) => {
        if (update.type === 'messagePending') this.#onPending(update)
        else if (update.type === 'message') this.messages += 1
        else this.#cache.update(update, id as never)
      },
    })
  }

  #onPending({ lobbyId, messageId }: { lobbyId: string; messageId?: string }): void {
    this.pending.push({ lobbyId, messageId })
    // An opening costs one read too, which no other player causes.
    if (messageId === undefined || this.#isInBatch) return
    this.#isInBatch = true
    this.pendingBatches += 1
    queueMicrotask(() => (this.#isInBatch = false))
  }

  /** Loses the connection. */
  cut(): void {
    this.#cut.abort()
    this.#cut = new AbortController()
  }

  /** The player's own call has succeeded at the service: its response is cached, and reported to the backend. */
  join(lobbyId: string, metadata = ''): void {
    this.#world.join(this.id, lobbyId, metadata)
    const members = [...(this.#world.lobbies.get(lobbyId) ?? [])].map(([id, text]) => ({
      id,
      metadata: { text },
      canLinkLobby: false,
    }))
    this.#cache.putOwn({
      id: lobbyId,
      applicationId: APPLICATION,
      metadata: {},
      members,
    } as unknown as LobbyState)
    this.stream.announce({ lobbyId })
  }

  leave(lobbyId: string): void {
    this.#world.leave(this.id, lobbyId)
    this.#cache.drop(lobbyId, 'left')
    this.stream.announce({ lobbyId })
  }

  view(): Record<string, Record<string, string>> {
    const lobbies = this.#cache
      .all()
      .map(({ id, members }) => [id, members.map(({ id: member, metadata }) => [member, metadata['text']])])
    return Object.fromEntries(
      lobbies.map(([id, members]) => [id, Object.fromEntries(members as [string, string][])]),
    )
  }

  /** Presence of each member of this player's lobbies. */
  presence(): Record<string, string | undefined> {
    return Object.fromEntries(
      this.#cache.all().flatMap(({ members }) => members.map(({ id, presence }) => [id, presence])),
    )
  }

  member(lobbyId: string, playerId: string) {
    return this.#cache.get(lobbyId)?.members.find(({ id }) => id === playerId)
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    if (this.isOffline) throw new TypeError('offline')
    const { hubs, random, responses, clock } = this.#world
    const process = this.home ?? Math.floor(random() * hubs.length)
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${this.id}` }
    const at = clock.now()
    const response =
      (await hubs[process]?.(new Request(url, { ...init, headers }))) ?? new Response(null, { status: 503 })
    if (init.method === 'POST') return response
    responses.push({ at, status: response.status, process })
    if (!response.ok || !response.body) return response
    return new Response(cutWith(response.body, this.#cut.signal), response)
  }
}

/** Ends a body like a lost connection: the reader fails, and the sender is cancelled. */
function cutWith(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    start(controller) {
      signal.addEventListener('abort', () => {
        void reader.cancel()
        try {
          controller.error(new TypeError('connection lost'))
        } catch {
          // Ended already.
        }
      })
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => reader.cancel(),
  })
}

/** Lets promises and streams make progress; no time passes. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 4; i++) await new Promise((resolve) => setImmediate(resolve))
}
