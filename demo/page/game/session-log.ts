/** What happens to the page's session, told by the client's events; and what a person can do to it. */
import type { Client, LogEntry, Session } from 'foyer-sdk'
import { Store } from '../store'
import { explain } from './error-advice'
import type { PageClock } from './page-clock'
import type { Connection } from './service-settings'
import type { FaultControls, Fault } from './fault-controls'

export interface SessionLogEvent {
  kind: 'done' | 'warning' | 'failed'
  name: string
  detail: string
  /** Epoch ms of the machine. */
  at: number
}

const KEPT_EVENTS = 50
/** A little more than an access token of the emulator lives. */
const SLEEP = 8 * 24 * 3_600_000

export class SessionLog {
  readonly events = new Store<readonly SessionLogEvent[]>([])
  /** Counts up whenever the session should be looked at again. */
  readonly pulse = new Store(0)
  readonly #stage: () => FaultControls | undefined
  readonly #clock: PageClock
  #client: Client | undefined

  constructor(stage: () => FaultControls | undefined, clock: PageClock) {
    this.#stage = stage
    this.#clock = clock
  }

  get hasStage(): boolean {
    return this.#stage() !== undefined
  }

  get session(): Session | null {
    return this.#client?.session ?? null
  }

  now(): number {
    return this.#clock.now()
  }

  use({ client }: Connection): void {
    this.#client = client
    client?.subscribe('statusChanged', ({ status, previous }) => this.#note('statusChanged', `${previous} → ${status}`))
    client?.subscribe('sessionChanged', ({ session, cause }) => {
      if (cause) this.#note('sessionChanged', `${cause.code}. ${explain(cause).advice}`, 'failed')
      else this.#note('sessionChanged', session ? 'a player is here' : 'nobody is here')
    })
    client?.subscribe('tokenRefreshed', ({ elsewhere }) => this.#note('tokenRefreshed', elsewhere ? 'by another tab' : 'by this tab'))
    client?.subscribe('tokenExpiring', () => this.#note('tokenExpiring', 'it cannot be renewed ahead of time', 'warning'))
    client?.subscribe('log', (entry) => this.#log(entry))
    this.pulse.set(this.pulse.value + 1)
  }

  /** Looks for a session in the store. */
  async restore(): Promise<void> {
    await this.#try('resume', async (client) => {
      const session = await client.resume()
      if (session) this.#note('resume', `the session came back from the ${session.storage}`)
    })
  }

  refresh(): Promise<void> {
    return this.#try('refreshToken', (client) => client.refreshToken())
  }

  /** A call with the player's token: what is dead is renewed on the way. */
  callApi(): Promise<void> {
    return this.#try('fetchCurrentUser', async (client) => {
      const { username } = await client.fetchCurrentUser()
      this.#note('fetchCurrentUser', `answered: ${username}`)
    })
  }

  revoke(): Promise<void> {
    return this.#try('signOut', async (client) => {
      const { revoked, error } = await client.signOut({ revoke: true })
      if (revoked) this.#note('signOut', 'the service ended the tokens')
      else this.#note('signOut', `here only: ${error?.code ?? 'not asked'}`, 'warning')
    })
  }

  /** Days pass, here and at the service. */
  sleep(): Promise<void> {
    return this.#try('sleep', async () => {
      await this.#stage()?.perform('sleep', { ms: SLEEP })
      this.#clock.skip(SLEEP)
      this.#note('sleep', 'eight days have passed', 'warning')
    })
  }

  trick(trick: Extract<Fault, 'expire' | 'revoke' | 'cut' | 'mend'>, words: string): Promise<void> {
    return this.#try(trick, async () => {
      await this.#stage()?.perform(trick, { user: this.session?.userId })
      this.#note(trick, words, 'warning')
    })
  }

  #log({ step, level, data }: LogEntry): void {
    if (!step.startsWith('session.')) return
    const words = Object.values(data).map(String).join(', ')
    this.#note(step, words, level === 'warn' ? 'warning' : 'done')
  }

  async #try(name: string, work: (client: Client) => Promise<unknown>): Promise<void> {
    const client = this.#client
    if (!client) return
    try {
      await work(client)
    } catch (error) {
      // What a client that was replaced meanwhile left unfinished is nobody's trouble.
      if (client !== this.#client) return
      const { code, advice } = explain(error)
      this.#note(name, `${code}. ${advice}`, 'failed')
    }
    this.pulse.set(this.pulse.value + 1)
  }

  #note(name: string, detail: string, kind: SessionLogEvent['kind'] = 'done'): void {
    this.events.set([...this.events.value, { kind, name, detail, at: Date.now() }].slice(-KEPT_EVENTS))
    this.pulse.set(this.pulse.value + 1)
  }
}
