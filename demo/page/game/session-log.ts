/** Log of the page's session, from the client's events, and actions on the session. Failures and simulated faults are steps of the run too. */
import { signal } from '@preact/signals'
import type { Client, LogEntry, Session } from 'foyer-sdk'
import type { ExchangeRecorder } from '../exchanges/exchange-recorder'
import { explain } from './explain'
import type { PageClock } from './page-clock'
import type { Connection } from './connection'
import type { FaultControls, Fault } from './fault-controls'
import type { Runs } from './runs'

export interface SessionLogEvent {
  readonly id: number
  kind: 'done' | 'warning' | 'failed'
  name: string
  detail: string
  /** Epoch ms of the machine's clock. */
  at: number
}

const MAX_EVENTS = 50
/** Slightly longer than the lifetime of the emulator's access tokens. */
const SLEEP = 8 * 24 * 3_600_000

/** Titles of the simulated faults. */
const FAULTS = {
  expire: 'Access token expired',
  revoke: 'Revoked at the service',
  cut: 'Network disconnected',
  mend: 'Network restored',
} as const

/** Result of an action, for the place beside its button. */
export interface ActionResult {
  readonly words: string
  readonly isFailed: boolean
}

export class SessionLog {
  readonly events = signal<readonly SessionLogEvent[]>([])
  /** Increments when the session should be read again. */
  readonly revision = signal(0)
  readonly #faultControls: () => FaultControls | undefined
  readonly #clock: PageClock
  readonly #exchanges: ExchangeRecorder
  readonly #runs: Runs
  #client: Client | undefined

  constructor(
    faultControls: () => FaultControls | undefined,
    { clock, exchanges, runs }: { clock: PageClock; exchanges: ExchangeRecorder; runs: Runs },
  ) {
    this.#faultControls = faultControls
    this.#clock = clock
    this.#exchanges = exchanges
    this.#runs = runs
  }

  get hasFaultControls(): boolean {
    return this.#faultControls() !== undefined
  }

  get session(): Session | null {
    return this.#client?.session ?? null
  }

  now(): number {
    return this.#clock.now()
  }

  use({ client }: Connection): void {
    this.#client = client
    client?.on('statusChanged', ({ status, previous }) =>
      this.#note('statusChanged', `${previous} → ${status}`),
    )
    client?.on('sessionChanged', ({ session, cause }) => {
      if (cause) {
        this.#note('sessionChanged', `${cause.code}. ${explain(cause).advice}`, 'failed')
        this.#runs.fail(cause)
      } else this.#note('sessionChanged', session ? 'signed in' : 'signed out')
    })
    client?.on('tokenRefreshed', ({ elsewhere }) =>
      this.#note('tokenRefreshed', elsewhere ? 'by another tab' : 'by this tab'),
    )
    client?.on('tokenExpiring', () =>
      this.#note('tokenExpiring', 'it cannot be refreshed in advance', 'warning'),
    )
    client?.on('log', (entry) => this.#log(entry))
    this.revision.value = this.revision.value + 1
  }

  /** Restores a session from the store. */
  async restore(): Promise<void> {
    await this.#try('resume', async (client) => {
      const session = await client.resume()
      if (session) this.#note('resume', `session restored from the ${session.storage}`)
      return ''
    })
  }

  refresh(): Promise<ActionResult> {
    return this.#try('refreshToken', async (client) => {
      await this.#exchanges.recordCall(
        'refreshToken()',
        () => client.refreshToken(),
        () => 'TokenSet',
      )
      return 'new tokens'
    })
  }

  /** Calls the API with the player's token. An expired token is refreshed first. */
  callApi(): Promise<ActionResult> {
    return this.#try('fetchCurrentUser', async (client) => {
      const before = client.session?.tokens
      const { username } = await this.#exchanges.recordCall(
        'fetchCurrentUser()',
        () => client.fetchCurrentUser(),
        () => 'User',
      )
      this.#note('fetchCurrentUser', `answered: ${username}`)
      return `answered: ${username}${client.session?.tokens === before ? '' : ', after a refresh'}`
    })
  }

  revoke(): Promise<ActionResult> {
    return this.#try('signOut', async (client) => {
      const outcome = this.#exchanges.recordCall(
        'signOut({ revoke: true })',
        () => client.signOut({ revoke: true }),
        () => 'signed out',
      )
      const { revoked, error } = await outcome
      const words = revoked
        ? 'the service revoked the tokens'
        : `on this device only: ${error?.code ?? 'not requested'}`
      this.#note('signOut', words, revoked ? 'done' : 'warning')
      return words
    })
  }

  /** Moves both clocks forward by days, here and at the service. */
  sleep(): Promise<ActionResult> {
    return this.#try('sleep', async () => {
      await this.#faultControls()?.perform('sleep', { ms: SLEEP })
      this.#clock.skip(SLEEP)
      const words = 'both clocks moved 8 days forward'
      this.#note('sleep', words, 'warning')
      this.#runs.note({ kind: 'warning', title: 'Clocks moved', detail: words })
      return words
    })
  }

  injectFault(
    fault: Extract<Fault, 'expire' | 'revoke' | 'cut' | 'mend'>,
    words: string,
  ): Promise<ActionResult> {
    return this.#try(fault, async () => {
      await this.#faultControls()?.perform(fault, { user: this.session?.userId })
      this.#note(fault, words, 'warning')
      this.#runs.note({ kind: 'warning', title: FAULTS[fault], detail: words })
      return words
    })
  }

  #log({ step, level, data }: LogEntry): void {
    if (!step.startsWith('session.')) return
    const words = Object.values(data).map(String).join(', ')
    this.#note(step, words, level === 'warn' ? 'warning' : 'done')
  }

  /** @param work resolves with its result in words. */
  async #try(name: string, work: (client: Client) => Promise<string>): Promise<ActionResult> {
    const client = this.#client
    if (!client) return { words: '', isFailed: false }
    try {
      const words = await work(client)
      this.revision.value = this.revision.value + 1
      return { words, isFailed: false }
    } catch (error) {
      // Errors of a client that was replaced meanwhile are ignored.
      if (client !== this.#client) return { words: '', isFailed: false }
      const { code, advice } = explain(error)
      this.#note(name, `${code}. ${advice}`, 'failed')
      this.#runs.fail(error)
      return { words: `${code}. ${advice}`, isFailed: true }
    }
  }

  #note(name: string, detail: string, kind: SessionLogEvent['kind'] = 'done'): void {
    const id = (this.events.value.at(-1)?.id ?? 0) + 1
    this.events.value = [...this.events.value, { id, kind, name, detail, at: Date.now() }].slice(-MAX_EVENTS)
    this.revision.value = this.revision.value + 1
  }
}
