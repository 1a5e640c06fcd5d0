/** Programming interface of the gateway (types only). */

/** Session of a bot. */
export interface GatewaySessionView {
  id: string
  /** Names of the intents that the bot has asked for. */
  intents: string[]
  /** False while its connection is broken, and the bot can resume. */
  connected: boolean
  /** Number of the last event. */
  sequence: number
  /** Heartbeats of this connection. */
  heartbeats: number
  /** Epoch milliseconds of the emulator's clock; null while the connection is broken. */
  lastHeartbeat: number | null
}

/** An event that a session was sent. */
export interface GatewayEventView {
  sequence: number
  /** Epoch milliseconds of the emulator's clock. */
  at: number
  /** For example `INTERACTION_CREATE`. */
  type: string
  /** The payload, with `[token]` for the token of an interaction. */
  data: unknown
}

/**
 * How connections are disturbed. `reconnect`: asks the bots to connect again and to resume. `invalidate`: ends their sessions, so that they
 * must begin new ones. `drop`: ends the sockets without a word.
 */
export type GatewayDisturbance = 'reconnect' | 'invalidate' | 'drop'

export interface GatewayControls {
  /** Where bots connect, as `GET /gateway` says it. */
  readonly url: string
  /** Sessions of bots, oldest first. */
  sessions(): GatewaySessionView[]
  /** The last 250 events of a session, oldest first. @throws EmulatorError `bad_request` for an unknown session. */
  events(session: string): GatewayEventView[]
  /** Disturbs every connection, as the service does now and then. */
  disturb(how: GatewayDisturbance): void
}
