/** Numbers of the gateway's protocol: opcodes and close codes. */

/** Kinds of frames. */
export const OPCODE = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  voiceState: 4,
  resume: 6,
  reconnect: 7,
  requestMembers: 8,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
  requestSounds: 31,
  requestChannels: 43,
} as const

/** Why the gateway ends a connection. */
export const CLOSE = {
  /** RFC 6455 section 7.4.1. */
  goingAway: 1001,
  unknownError: 4000,
  unknownOpcode: 4001,
  decodeError: 4002,
  notAuthenticated: 4003,
  authenticationFailed: 4004,
  alreadyAuthenticated: 4005,
  invalidSequence: 4007,
  rateLimited: 4008,
  sessionTimedOut: 4009,
  invalidShard: 4010,
  invalidVersion: 4012,
  invalidIntents: 4013,
  disallowedIntents: 4014,
} as const

/** The end of a connection, with a sentence for whoever reads the log of a bot. At most 123 bytes: RFC 6455 section 5.5. */
export interface Closing {
  code: number
  reason: string
}
