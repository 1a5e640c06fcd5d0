/** External tokens: `emu:<subject>`, or `emu:<subject>!<fault>` to provoke an error. */
import type { Identity } from '../../state/accounts.js'

/** Faults, each with the error code that it provokes. */
const FAULTS: Record<string, number> = {
  'not-enabled': 530_000,
  expired: 530_001,
  issuer: 530_002,
  audience: 530_003,
  'too-old': 530_004,
  username: 530_006,
  'no-configuration': 530_008,
  'no-keys': 530_009,
  invalid: 530_020,
  'no-kid': 530_027,
}

/** Faults of a merge only. */
const MERGE_FAULTS: Record<string, number> = {
  invalid: 50_025,
  'provisional-destination': 530_016,
  banned: 530_017,
}

export interface ExternalToken {
  identity: Identity
  /** The first merge with this token fails with 423. */
  locks: boolean
}

export const BOT_IDENTITY_TYPE = 'BOT'
/** A merge may name a provisional access token instead of an external token. */
export const BOT_ISSUED_TYPE = 'SERVICE_BOT_ISSUED_ACCESS_TOKEN'

/** Documented external services (docs/interface/accounts.md#external-proofs). */
const EXTERNAL_TYPES = new Set([
  'OIDC',
  'STEAM_SESSION_TICKET',
  'EPIC_ONLINE_SERVICES_ACCESS_TOKEN',
  'EPIC_ONLINE_SERVICES_ID_TOKEN',
  'UNITY_SERVICES_ID_TOKEN',
  BOT_ISSUED_TYPE,
  'APPLE_ID_TOKEN',
  'PLAYSTATION_NETWORK_ID_TOKEN',
])

export function isExternalType(type: string): boolean {
  return EXTERNAL_TYPES.has(type)
}

/** Returns the identity, or the error code that the token provokes. */
export function readExternalToken(
  type: string,
  token: string,
  use: 'sign-in' | 'merge',
): ExternalToken | number {
  const known = use === 'merge' ? { ...FAULTS, ...MERGE_FAULTS } : FAULTS
  const [, subject, fault] = /^emu:([^!]{1,1000})(?:!([a-z-]+))?$/.exec(token) ?? []
  if (subject === undefined) return use === 'merge' ? 50_025 : 530_020
  const code = fault === undefined ? undefined : known[fault]
  return code ?? { identity: { type, subject }, locks: fault === 'locked' }
}

/** Error code of an external user id with a fault. Ids have no fixed format: only `emu:` marks one with a fault. */
export function faultOfUserId(id: string): number | undefined {
  const token = id.startsWith('emu:') ? readExternalToken(BOT_IDENTITY_TYPE, id, 'sign-in') : undefined
  return typeof token === 'number' ? token : undefined
}
