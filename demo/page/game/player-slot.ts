/** One of the players beside each other: a client of its own, with its own store and profile, and the lobby it is in. */
import {
  type AuthorizationSurface,
  Client,
  type ClientOptions,
  type RateLimitDelayedEvent,
  type RateLimitedEvent,
  type Lobby,
  type LobbyMessage,
  type Metadata,
  type Session,
} from 'foyer-sdk'
import { Store } from '../store'

export interface MetadataDrafts {
  lobbyMetadata?: Metadata
  memberMetadata?: Metadata
}

const HISTORY = 50
/** How often to look for messages where no stream tells of them, in ms. */
const INTERVAL = 2000

export class PlayerSlot {
  readonly session = new Store<Session | null>(null)
  readonly lobby = new Store<Lobby | null>(null)
  readonly messages = new Store<readonly LobbyMessage[]>([])
  /** Why the last thing did not work. */
  readonly failure = new Store<unknown>(undefined)
  /** What is being done, in words; empty when nothing is. */
  readonly doing = new Store('')
  readonly delayed = new Store<RateLimitDelayedEvent | undefined>(undefined)
  readonly limited = new Store<RateLimitedEvent | undefined>(undefined)
  #client: Client | undefined
  #hasStream = false

  get client(): Client | undefined {
    return this.#client
  }

  /** Takes another client; the one before it ends. */
  use(options: ClientOptions): void {
    this.#client?.close()
    this.session.set(null)
    this.#emptyRoom()
    const client = new Client(options)
    this.#client = client
    this.#hasStream = options.lobbyUpdates !== undefined
    client.subscribe('sessionChanged', ({ session }) => this.session.set(session))
    client.subscribe('tokenRefreshed', ({ session }) => this.session.set(session))
    client.subscribe('lobbyUpdated', ({ lobby }) => lobby.id === this.lobby.value?.id && this.lobby.set(lobby))
    client.subscribe('lobbyDeleted', ({ lobby }) => lobby.id === this.lobby.value?.id && this.#emptyRoom())
    client.subscribe('lobbyMessage', ({ message }) => this.#hear([message]))
    client.subscribe('rateLimitDelayed', (event) => this.delayed.set(event))
    client.subscribe('rateLimited', (event) => this.limited.set(event))
  }

  restore(): Promise<void> {
    return this.#do('Looking for a session', (client) => client.resume())
  }

  /** Call it inside a click: without a surface of its own a window opens. */
  sit(surface?: AuthorizationSurface): Promise<void> {
    return this.#do('Signing in', (client) => client.signIn(surface ? { surface } : {}))
  }

  signOut(): Promise<void> {
    return this.#do('Signing out', async (client) => {
      const lobby = this.lobby.value
      if (lobby) await client.leaveLobby(lobby.id)
      await client.signOut()
    })
  }

  join(secret: string, sheets: MetadataDrafts = {}): Promise<void> {
    return this.#do('Joining', async (client) => {
      const isNew = this.lobby.value === null
      const lobby = await client.createOrJoinLobby(secret, sheets)
      this.lobby.set(lobby)
      if (!isNew) return
      await client.autoLeave(lobby.id)
      this.#hear(await client.getLobbyMessagesWithLimit(lobby.id, HISTORY))
      if (!this.#hasStream) await client.watchLobby(lobby.id, { interval: INTERVAL })
    })
  }

  /** Joins again and again, until the limit of joins speaks. */
  joinAgain(secret: string, times: number): Promise<void> {
    return this.#do(`Joining ${times} times`, async (client) => {
      for (let turn = 0; turn < times; turn++) await client.createOrJoinLobby(secret)
    })
  }

  leave(): Promise<void> {
    return this.#do('Leaving', async (client) => {
      if (this.lobby.value) await client.leaveLobby(this.lobby.value.id)
      this.#emptyRoom()
    })
  }

  /** Resolves with whether the message was sent. */
  async send(text: string): Promise<boolean> {
    let isSent = false
    await this.#do('Sending', async (client) => {
      if (!this.lobby.value) return
      this.#hear([await client.sendLobbyMessage(this.lobby.value.id, text)])
      isSent = true
    })
    return isSent
  }

  /** Many at once; resolves with how that went, in words. */
  async burst(count: number): Promise<string> {
    const begun = performance.now()
    let refused = 0
    await this.#do(`Sending ${count} messages`, async (client) => {
      const { id } = this.lobby.value ?? { id: '' }
      const texts = Array.from({ length: count }, (_, index) => `Burst ${index + 1} of ${count}`)
      const sent = await Promise.allSettled(texts.map((text) => client.sendLobbyMessage(id, text)))
      refused = sent.filter(({ status }) => status === 'rejected').length
    })
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    return `${count - refused} messages sent in ${seconds} s, ${refused} refused.`
  }

  async #do(words: string, work: (client: Client) => Promise<unknown>): Promise<void> {
    const client = this.#client
    if (!client) return
    this.doing.set(words)
    this.failure.set(undefined)
    try {
      await work(client)
    } catch (error) {
      if (client === this.#client) this.failure.set(error)
    } finally {
      this.doing.set('')
    }
  }

  #hear(heard: readonly LobbyMessage[]): void {
    const lobby = this.lobby.value
    const all = new Map(this.messages.value.map((message) => [message.id, message]))
    for (const message of heard) if (message.lobbyId === lobby?.id) all.set(message.id, message)
    this.messages.set([...all.values()].sort((a, b) => a.sentAt - b.sentAt || (BigInt(a.id) < BigInt(b.id) ? -1 : 1)))
  }

  #emptyRoom(): void {
    this.lobby.set(null)
    this.messages.set([])
  }
}
