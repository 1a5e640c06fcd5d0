/** A page of a game whose backend holds the session: its requests carry its origin, and its cookies go to the game only. */
import type { Emulator } from 'foyer-emulator'
import { Client, type ClientOptions, type Fetch } from 'foyer-sdk'
import {
  clientSecret,
  createSessionHandler,
  memorySessionStore,
  type SessionHandler,
  type SessionHandlerOptions,
} from 'foyer-sdk/server'
import { consentSurface } from './consent-surface'
import { GAME, SessionBrowser } from './session-browser'

export function createHandlerOf(
  emulator: Emulator,
  options: Partial<SessionHandlerOptions> = {},
): SessionHandler {
  const { id: applicationId, clientSecret: secret } = emulator.application
  const parts = { applicationId, service: { host: emulator.url }, credentials: clientSecret(secret) }
  return createSessionHandler({ ...parts, origins: [GAME], store: memorySessionStore(), ...options })
}

export class PageOfBackend {
  readonly browser: SessionBrowser
  /** Method and path of requests to the game. */
  readonly toGame: string[] = []
  /** Requests to anywhere else. */
  readonly elsewhere: string[] = []
  /** Everything that the page received, as text. */
  readonly received: string[] = []
  readonly #emulator: Emulator
  readonly #clients: Client[] = []

  readonly #origin: string

  constructor(
    emulator: Emulator,
    backend: (request: Request) => Promise<Response>,
    { origin = GAME }: { origin?: string } = {},
  ) {
    this.#emulator = emulator
    this.#origin = origin
    this.browser = new SessionBrowser(backend, { origin })
  }

  readonly fetch: Fetch = async (url, init) => {
    const isToGame = url.startsWith(`${this.#origin}/`)
    const line = `${init.method ?? 'GET'} ${isToGame ? url.slice(this.#origin.length) : url}`
    const requests = isToGame ? this.toGame : this.elsewhere
    requests.push(line)
    const headers = new Headers(init.headers)
    if (isToGame && init.method !== 'GET') headers.set('origin', this.#origin)
    headers.set('sec-fetch-site', 'same-origin')
    // As the browser does: without credentials, no cookie is sent.
    if (init.credentials !== 'include') headers.set('cookie', '')
    const response = isToGame
      ? await this.browser.send(url.slice(this.#origin.length), { ...init, headers })
      : await fetch(url, init)
    const readable = [...response.headers].filter(([name]) => name !== 'set-cookie')
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    this.received.push(JSON.stringify(readable), isStream ? '' : await response.clone().text())
    return response
  }

  createClient(options: Partial<ClientOptions> & { as?: string } = {}): Client {
    const { as = 'ada', ...given } = options
    const client = new Client({
      applicationId: this.#emulator.application.id,
      service: { host: this.#emulator.url },
      surface: consentSurface(this.#emulator, { redirectUri: `${this.#origin}/callback.html`, as }),
      fetch: this.fetch,
      backendSession: `${this.#origin}/session`,
      ...given,
    })
    this.#clients.push(client)
    return client
  }

  close(): void {
    for (const client of this.#clients) client.close()
  }
}
