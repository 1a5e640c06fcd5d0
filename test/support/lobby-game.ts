/** Players of one game at the emulator, with both clocks controlled by the test, and the game's backend. */
import type { Emulator } from 'foyer-emulator'
import { Client, type ClientEvents, type ClientOptions, type Lobby } from 'foyer-sdk'
import { consentSurface } from './consent-surface'
import { ManualClock } from './manual-clock'

const CALLBACK = 'http://127.0.0.1:51234/callback'

export class LobbyGame {
  readonly clock = new ManualClock(Date.now())
  readonly clients: Client[] = []
  readonly #emulator: Emulator

  constructor(emulator: Emulator) {
    this.#emulator = emulator
  }

  /** Creates a client and signs its player in. */
  async player(
    as: string,
    { scopes, ...options }: Partial<ClientOptions> & { scopes?: string } = {},
  ): Promise<Client> {
    const service = { host: this.#emulator.url }
    const client = new Client({
      applicationId: this.#emulator.application.id,
      service,
      clock: this.clock,
      ...options,
    })
    this.clients.push(client)
    const surface = consentSurface(this.#emulator, { as, redirectUri: CALLBACK })
    await client.signIn({ surface, scopes })
    return client
  }

  /** Advances the clocks of the players and of the service. */
  pass(ms: number): void {
    this.#emulator.advance(ms)
    this.clock.advance(ms)
  }

  /** Sends a request of the game's backend with its bot token; resolves with the response body. */
  async backend(method: string, path: string, body?: unknown): Promise<{ id: string }> {
    const answer = await fetch(`${this.#emulator.url}/api/v10/lobbies${path}`, {
      method,
      headers: {
        authorization: `Bot ${this.#emulator.application.botToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} ${answer.status}`)
    return (answer.status === 204 ? { id: '' } : await answer.json()) as { id: string }
  }

  close(): void {
    for (const client of this.clients) client.close()
  }
}

/** A lobby as if the player were a member, whatever the service says: calls with this id reach it. */
export const claimLobby = (client: Client, id: string): Promise<Lobby> =>
  client.lobbies.add({ id, application_id: client.applicationId, members: [{ id: client.session?.userId }] })

/** Records the client's events of these names from now on, in order: lobbies as they are at that moment. */
export function recordEvents<Event extends keyof ClientEvents>(
  client: Client,
  ...events: Event[]
): { event: Event; data: unknown }[] {
  const recorded: { event: Event; data: unknown }[] = []
  for (const event of events)
    client.on(event, (data: object) => void recorded.push({ event, data: snapshotOf(data) }))
  return recorded
}

const snapshotOf = (data: object): unknown =>
  'lobby' in data ? { ...data, lobby: (data.lobby as Lobby).toJSON() } : data
