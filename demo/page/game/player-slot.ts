/** One of the two players: a client with its own store and profile, and the lobby that it is in. */
import { signal } from '@preact/signals'
import {
  type AuthorizationSurface,
  Client,
  type ClientOptions,
  type RateLimitDelayedEvent,
  type RateLimitedEvent,
  type Lobby,
  type LobbyMessage,
  type LobbyState,
  type Metadata,
  type Session,
} from 'foyer-sdk'
import { ClientAction } from './client-action'
import { explain } from './explain'

interface MetadataDrafts {
  metadata?: Metadata
  member?: Metadata
}

/** With `guilds`, to choose a channel for a lobby. */
const SCOPES = 'openid sdk.social_layer guilds'
const HISTORY = 50
/** Poll interval for messages without an event stream, in ms. */
const POLL_INTERVAL = 2000

export class PlayerSlot {
  readonly session = signal<Session | null>(null)
  /** State of the lobby. */
  readonly lobby = signal<LobbyState | null>(null)
  readonly messages = signal<readonly LobbyMessage[]>([])
  readonly #action = new ClientAction(() => this.#client)
  /** Error of the last action. */
  readonly failure = this.#action.failure
  /** Label of the running action; empty if none runs. */
  readonly doing = this.#action.doing
  readonly delayed = signal<RateLimitDelayedEvent | undefined>(undefined)
  readonly limited = signal<RateLimitedEvent | undefined>(undefined)
  #client: Client | undefined
  #hasStream = false

  get client(): Client | undefined {
    return this.#client
  }

  /** Replaces the client and closes the previous one. */
  use(options: ClientOptions): void {
    this.#client?.close()
    this.session.value = null
    this.#clearLobby()
    const client = new Client(options)
    this.#client = client
    this.#hasStream = options.lobbyUpdates !== undefined
    client.on('sessionChanged', ({ session }) => (this.session.value = session))
    client.on('tokenRefreshed', ({ session }) => (this.session.value = session))
    client.on(
      'lobbyUpdated',
      ({ lobby }) => lobby.id === this.lobby.value?.id && (this.lobby.value = lobby.toJSON()),
    )
    client.on('lobbyDeleted', ({ lobby }) => lobby.id === this.lobby.value?.id && this.#clearLobby())
    client.on('lobbyMessage', ({ message }) => this.#addMessages([message]))
    client.on('rateLimitDelayed', (event) => (this.delayed.value = event))
    client.on('rateLimited', (event) => (this.limited.value = event))
  }

  restore(): Promise<void> {
    return this.#action.run('Restoring the session', (client) => client.resume())
  }

  /** Signs in. Call it inside a click: without a surface of its own a window opens. */
  signIn(surface?: AuthorizationSurface): Promise<void> {
    return this.#action.run('Signing in', (client) =>
      client.signIn({ scopes: SCOPES, ...(surface && { surface }) }),
    )
  }

  signOut(): Promise<void> {
    return this.#action.run('Signing out', async (client) => {
      await this.#joined?.leave()
      await client.signOut()
    })
  }

  join(secret: string, metadata: MetadataDrafts = {}): Promise<void> {
    return this.#action.run('Joining', async (client) => {
      const isNew = this.lobby.value === null
      const lobby = await client.createOrJoinLobby(secret, metadata)
      this.lobby.value = lobby.toJSON()
      if (!isNew) return
      await lobby.autoLeave()
      this.#addMessages(await lobby.fetchMessages({ limit: HISTORY }))
      if (!this.#hasStream) await lobby.watch({ interval: POLL_INTERVAL })
    })
  }

  /** Joins repeatedly, until the join limit rejects a call. Resolves with a summary. */
  async joinRepeatedly(secret: string, times: number): Promise<string> {
    let joined = 0
    await this.#action.run(`Joining ${times} times`, async (client) => {
      for (; joined < times; joined++) await client.createOrJoinLobby(secret)
    })
    const error = joined < times ? this.failure.value : undefined
    return error === undefined
      ? `Joined ${joined} times.`
      : `Joined ${joined} times, then a call was refused. ${explain(error).advice}`
  }

  leave(): Promise<void> {
    return this.#action.run('Leaving', async () => {
      await this.#joined?.leave()
      this.#clearLobby()
    })
  }

  /** Resolves with true if the message was sent. */
  async send(text: string): Promise<boolean> {
    let isSent = false
    await this.#action.run('Sending', async () => {
      const lobby = this.#joined
      if (!lobby) return
      this.#addMessages([await lobby.send(text)])
      isSent = true
    })
    return isSent
  }

  /** Sends many messages at once; resolves with a summary. */
  async sendMany(count: number): Promise<string> {
    const begun = performance.now()
    let refused = 0
    await this.#action.run(`Sending ${count} messages`, async () => {
      const lobby = this.#joined
      if (!lobby) return
      const texts = Array.from({ length: count }, (_, index) => `Burst ${index + 1} of ${count}`)
      const sent = await Promise.allSettled(texts.map((text) => lobby.send(text)))
      refused = sent.filter(({ status }) => status === 'rejected').length
    })
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    return `${count - refused} messages sent in ${seconds} s, ${refused} refused.`
  }

  get #joined(): Lobby | undefined {
    return this.#client?.lobbies.get(this.lobby.value?.id ?? '')
  }

  #addMessages(received: readonly LobbyMessage[]): void {
    const lobby = this.lobby.value
    const all = new Map(this.messages.value.map((message) => [message.id, message]))
    for (const message of received) if (message.lobbyId === lobby?.id) all.set(message.id, message)
    this.messages.value = [...all.values()].sort(
      (a, b) => a.sentAt - b.sentAt || (BigInt(a.id) < BigInt(b.id) ? -1 : 1),
    )
  }

  #clearLobby(): void {
    this.lobby.value = null
    this.messages.value = []
  }
}
