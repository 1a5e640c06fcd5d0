/** Players of one game at the emulator, with both clocks in the test's hand, and the game's own backend beside them. */
import type { Emulator } from 'foyer-emulator'
import { Client, type ClientEvents, type ClientOptions } from 'foyer-sdk'
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

  /** A client whose player is signed in. */
  async player(as: string, options: Partial<ClientOptions> = {}): Promise<Client> {
    const service = { host: this.#emulator.url }
    const client = new Client({ applicationId: this.#emulator.application.id, service, clock: this.clock, ...options })
    this.clients.push(client)
    await client.signIn({ surface: consentSurface(this.#emulator, { as, redirectUri: CALLBACK }) })
    return client
  }

  /** Lets time pass for the players and at the service. */
  pass(ms: number): void {
    this.#emulator.advance(ms)
    this.clock.advance(ms)
  }

  /** What the game's backend does with its bot token; the answer's body. */
  async backend(method: string, path: string, body?: unknown): Promise<{ id: string }> {
    const answer = await fetch(`${this.#emulator.url}/api/v10/lobbies${path}`, {
      method,
      headers: { authorization: `Bot ${this.#emulator.application.botToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} ${answer.status}`)
    return (answer.status === 204 ? { id: '' } : await answer.json()) as { id: string }
  }

  close(): void {
    for (const client of this.clients) client.close()
  }
}

/** Everything that a client tells of some kinds from now on, in order. */
export function hear<Event extends keyof ClientEvents>(client: Client, ...events: Event[]): { event: Event; data: unknown }[] {
  const heard: { event: Event; data: unknown }[] = []
  for (const event of events) client.subscribe(event, (data: unknown) => void heard.push({ event, data }))
  return heard
}
