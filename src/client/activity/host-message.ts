/** Messages between an Activity and its host window (docs/interface/activities.md#messages): an opcode and a payload, by `postMessage`. Pure. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { ActivityErrorCode } from '../../shared/foundation/errors'

export const HANDSHAKE = 0
export const FRAME = 1
const CLOSE = 2

/** Decoded message of a host. */
export type HostMessage =
  | { kind: 'event'; event: string; data: unknown }
  | { kind: 'response'; nonce: string; data: unknown }
  | { kind: 'error'; nonce: string; code: number; message: unknown }
  | { kind: 'close'; code: number }

/** Returns undefined for an invalid message. */
export function readMessage(message: unknown): HostMessage | undefined {
  if (!Array.isArray(message) || !isRecord(message[1])) return undefined
  const [opcode, payload]: unknown[] = message
  if (!isRecord(payload)) return undefined
  if (opcode === CLOSE) return { kind: 'close', code: codeOf(payload) }
  return opcode === FRAME ? readFrame(payload) : undefined
}

function readFrame({ cmd, evt, nonce, data }: Readonly<Record<string, unknown>>): HostMessage | undefined {
  if (typeof nonce === 'string') {
    return evt === 'ERROR'
      ? { kind: 'error', nonce, code: codeOf(data), message: isRecord(data) ? data['message'] : undefined }
      : { kind: 'response', nonce, data }
  }
  return cmd === 'DISPATCH' && typeof evt === 'string' ? { kind: 'event', event: evt, data } : undefined
}

/** 1000 is the default code. */
function codeOf(data: unknown): number {
  const code = isRecord(data) ? data['code'] : undefined
  return typeof code === 'number' && Number.isSafeInteger(code) ? code : 1000
}

/** Names of a host's error codes (docs/interface/activities.md#messages). */
const NAMES: Readonly<Record<number, ActivityErrorCode>> = {
  4000: 'invalid_payload',
  4002: 'invalid_command',
  4003: 'invalid_guild',
  4004: 'invalid_event',
  4005: 'invalid_channel',
  4006: 'invalid_permissions',
  4007: 'invalid_client_id',
  4008: 'invalid_origin',
  4009: 'invalid_token',
  4010: 'invalid_user',
  5000: 'oauth_error',
}

export const nameOfRefusal = (code: number): ActivityErrorCode => NAMES[code] ?? 'host_error'

/** Names of a host's close codes, except normal ends (docs/interface/activities.md#messages). */
const CLOSINGS: Readonly<Record<number, ActivityErrorCode>> = {
  4000: 'invalid_client_id',
  4001: 'invalid_origin',
  4002: 'rate_limited',
  4003: 'token_revoked',
  4004: 'invalid_version',
  4005: 'invalid_encoding',
}

export const nameOfClosing = (code: number): ActivityErrorCode => CLOSINGS[code] ?? 'activity_closed'
