/** Protocol between host window and game: opcodes, error codes, and parsing of untrusted messages. */
import { fieldsOf, isObject, textOf } from '../../foundation/values.js'

export const OPCODE = { handshake: 0, frame: 1, close: 2, hello: 3 } as const

export const CLOSE_CODE = {
  normal: 1000,
  invalidClientId: 4000,
  invalidOrigin: 4001,
  tokenRevoked: 4003,
  invalidVersion: 4004,
  invalidEncoding: 4005,
} as const

export const ERROR_CODE = {
  unknown: 1000,
  invalidPayload: 4000,
  invalidCommand: 4002,
  invalidGuild: 4003,
  invalidEvent: 4004,
  invalidChannel: 4005,
  invalidPermissions: 4006,
  invalidClientId: 4007,
  invalidToken: 4009,
  invalidUser: 4010,
  oauth2: 5000,
} as const

export type Outgoing = [opcode: number, payload: unknown]

export interface Command {
  cmd: string
  args: Record<string, unknown>
  evt: string | undefined
  nonce: string
}

/** Error response to a command; the game's promise rejects with it. */
export class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** A tuple of opcode and payload; undefined for any other value. */
export function readMessage(message: unknown): { op: number; payload: Record<string, unknown> } | undefined {
  if (!Array.isArray(message) || typeof message[0] !== 'number') return undefined
  return { op: message[0], payload: fieldsOf(message[1]) }
}

export function readCommand(payload: Record<string, unknown>): Command | undefined {
  const { cmd, nonce, args, evt } = payload
  if (typeof cmd !== 'string' || typeof nonce !== 'string') return undefined
  return { cmd, nonce, args: isObject(args) ? args : {}, evt: textOf(evt) }
}

export function reply({ cmd, nonce }: Pick<Command, 'cmd' | 'nonce'>, data: unknown): Outgoing {
  return [OPCODE.frame, { cmd, data, evt: null, nonce }]
}

export function refusal(
  { cmd, nonce }: { cmd: string; nonce: string | null },
  { code, message }: RpcError,
): Outgoing {
  return [OPCODE.frame, { cmd, data: { code, message }, evt: 'ERROR', nonce }]
}

export function dispatch(evt: string, data: unknown): Outgoing {
  return [OPCODE.frame, { cmd: 'DISPATCH', data, evt, nonce: null }]
}

export function closing(code: number, message: string): Outgoing {
  return [OPCODE.close, { code, message }]
}
