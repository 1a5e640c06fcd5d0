/** Connection of a bot: its heartbeats, the frames of the last minute, and the session that it belongs to. */
import type { Clock } from '../../state/clock.js'
import { CLOSE, OPCODE, type Closing } from './gateway-protocol.js'
import type { GatewaySession, SessionConnection } from './gateway-session.js'

/** A socket that is open. */
export interface GatewayLink {
  send(text: string): void
  /** Ends the connection in order. */
  close(closing: Closing): void
  /** Ends the connection at once. */
  destroy(): void
  /** Bytes that wait for the bot to read. */
  buffered(): number
}

/** Milliseconds between two heartbeats. */
const HEARTBEAT_INTERVAL = 41_250
/** Milliseconds after the last sign of life in which a heartbeat must have come. */
const HEARTBEAT_DEADLINE = HEARTBEAT_INTERVAL * 1.5
/** Milliseconds in which a heartbeat that the gateway asks for must come. */
const ASKED_DEADLINE = 10_000
/** Milliseconds in which a connection must have sent IDENTIFY or RESUME. */
const IDENTIFY_DEADLINE = 30_000
const MINUTE = 60_000
/** Frames that a connection may send in a minute. */
const FRAMES_PER_MINUTE = 120
/** Bytes that may wait for a bot that reads slowly. */
const MOST_BUFFERED = 4 * 1024 * 1024

export class GatewayConnection implements SessionConnection {
  readonly #link: GatewayLink
  readonly #clock: Clock
  /** Address to resume at. */
  readonly url: string
  #session: GatewaySession | undefined
  heartbeats = 0
  #isOpen = true
  /** Times of the frames of the last minute. */
  #frames: number[] = []
  /** Time at which the connection was opened, or lost its session. */
  #waitsSince: number
  /** Time of the last sign of life. */
  #heardAt: number
  /** Time at which the gateway asked for a heartbeat. */
  #askedAt: number | undefined

  constructor(link: GatewayLink, { url, clock }: { url: string; clock: Clock }) {
    this.#link = link
    this.url = url
    this.#clock = clock
    this.#heardAt = this.#waitsSince = clock.now()
  }

  get heardAt(): number {
    return this.#heardAt
  }

  /** Undefined before IDENTIFY or RESUME. */
  get session(): GatewaySession | undefined {
    return this.#session
  }

  join(session: GatewaySession): void {
    this.#session = session
    session.attach(this)
  }

  /** The session is over: the bot begins a new one, here or on another connection. */
  invalidate(): void {
    this.#session?.detach(this)
    this.#session = undefined
    this.#waitsSince = this.#clock.now()
    this.sendFrame(OPCODE.invalidSession, false)
  }

  hello(): void {
    this.sendFrame(OPCODE.hello, { heartbeat_interval: HEARTBEAT_INTERVAL })
  }

  sendFrame(op: number, data: unknown): void {
    this.send(JSON.stringify({ op, d: data, s: null, t: null }))
  }

  /** A bot that does not read is cut off, and can resume. */
  send(text: string): void {
    if (!this.#isOpen) return
    if (this.#link.buffered() > MOST_BUFFERED) this.destroy()
    else this.#link.send(text)
  }

  close(closing: Closing): void {
    if (!this.#isOpen) return
    this.leave()
    this.#link.close(closing)
  }

  /** Ends the connection without a word. */
  destroy(): void {
    this.leave()
    this.#link.destroy()
  }

  /** Counts a frame, and returns true if it is one too many. */
  countFrame(): boolean {
    const now = this.#clock.now()
    this.#frames = [...this.#frames.filter((at) => at > now - MINUTE && at <= now), now]
    return this.#frames.length > FRAMES_PER_MINUTE
  }

  beat(): void {
    this.heartbeats += 1
    this.#heardAt = this.#clock.now()
    this.#askedAt = undefined
    this.sendFrame(OPCODE.heartbeatAck, null)
  }

  /** Returns why the connection ends now, if it does. Asks for a heartbeat first: a clock that was advanced has no silent bot. */
  look(): Closing | undefined {
    const now = this.#clock.now()
    // A clock that goes back makes nothing older.
    this.#heardAt = Math.min(this.#heardAt, now)
    this.#waitsSince = Math.min(this.#waitsSince, now)
    if (this.#session === undefined)
      return now - this.#waitsSince > IDENTIFY_DEADLINE
        ? { code: CLOSE.notAuthenticated, reason: 'no IDENTIFY came within 30 seconds' }
        : undefined
    if (now - this.#heardAt <= HEARTBEAT_DEADLINE) return undefined
    if (this.#askedAt === undefined) {
      this.#askedAt = now
      this.sendFrame(OPCODE.heartbeat, null)
      return undefined
    }
    return now - this.#askedAt > ASKED_DEADLINE
      ? { code: CLOSE.sessionTimedOut, reason: 'no heartbeat came' }
      : undefined
  }

  /** The connection has ended, or ends now: nothing more is sent. */
  leave(): void {
    this.#isOpen = false
    this.#session?.detach(this)
  }
}
