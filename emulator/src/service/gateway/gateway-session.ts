/** Session of a bot: what survives a broken connection. */
import type { Clock } from '../../state/clock.js'
import { OPCODE, type Closing } from './gateway-protocol.js'

/** Events that a session keeps for RESUME. */
const REPLAYED = 250
/** Milliseconds in which a bot may resume (assumed). */
const RESUMABLE = 5 * 60_000

/** An event as it was sent. */
interface SentEvent {
  sequence: number
  /** Epoch milliseconds of the emulator's clock. */
  at: number
  type: string
  /** The frame. */
  text: string
}

/** The connection of a session, while it has one. */
export interface SessionConnection {
  /** Heartbeats that were acknowledged. */
  readonly heartbeats: number
  /** Epoch milliseconds of the last heartbeat, or of the beginning. */
  readonly heardAt: number
  send(text: string): void
  close(closing: Closing): void
}

export class GatewaySession {
  readonly id: string
  readonly intents: number
  /** Guilds that the bot knows, by id. */
  readonly guilds = new Set<string>()
  readonly #clock: Clock
  #connection: SessionConnection | undefined
  /** Epoch milliseconds of the emulator's clock, while the connection is broken. */
  #brokenAt: number | undefined
  #events: SentEvent[] = []
  #sequence = 0

  constructor({ id, intents, clock }: Pick<GatewaySession, 'id' | 'intents'> & { clock: Clock }) {
    this.id = id
    this.intents = intents
    this.#clock = clock
  }

  /** Undefined while it is broken. */
  get connection(): SessionConnection | undefined {
    return this.#connection
  }

  attach(connection: SessionConnection): void {
    this.#connection = connection
    this.#brokenAt = undefined
  }

  /** @param connection the one that has ended: another may have resumed meanwhile. */
  detach(connection: SessionConnection): void {
    if (this.#connection !== connection) return
    this.#connection = undefined
    this.#brokenAt = this.#clock.now()
  }

  /** True if the bot has stayed away for longer than it may. */
  isAbandoned(): boolean {
    return this.#brokenAt !== undefined && this.#clock.now() - this.#brokenAt > RESUMABLE
  }

  /** Number of the last event. */
  get sequence(): number {
    return this.#sequence
  }

  get events(): readonly SentEvent[] {
    return this.#events
  }

  /** Sends an event, or keeps it until the bot resumes. */
  dispatch(type: string, data: unknown): void {
    const sequence = (this.#sequence += 1)
    const text = JSON.stringify({ op: OPCODE.dispatch, s: sequence, t: type, d: data })
    this.#events.push({ sequence, at: this.#clock.now(), type, text })
    if (this.#events.length > REPLAYED) this.#events.shift()
    this.#connection?.send(text)
  }

  /** Frames after `sequence`; `unknown` if that event was never sent, `gone` if one of them is kept no more. */
  since(sequence: number): string[] | 'unknown' | 'gone' {
    if (sequence > this.#sequence) return 'unknown'
    const missed = this.#events.filter((event) => event.sequence > sequence)
    return missed.length === this.#sequence - sequence ? missed.map(({ text }) => text) : 'gone'
  }
}
