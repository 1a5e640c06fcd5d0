/** Tokens of other services, as this one takes them: `emu:<subject>`, and `emu:<subject>!<fault>` for each way they can be wrong. */
import type { Identity } from '../state/accounts.js'

/** What the word behind the `!` makes the service answer. */
const faults: Record<string, number> = {
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

/** Faults that concern a merge only. */
const mergeFaults: Record<string, number> = { invalid: 50_025, 'provisional-destination': 530_016, banned: 530_017 }

export interface ExternalToken {
  identity: Identity
  /** The first merge with it meets a lock. */
  locks: boolean
}

export const botIdentityType = 'BOT'
/** An identity that is proved by a provisional access token; a merge takes it in the place of a platform's token. */
export const botIssuedType = 'SERVICE_BOT_ISSUED_ACCESS_TOKEN'

/** Every name in capitals is a service of its own. */
export function isExternalType(type: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(type)
}

/** The identity, or the code of the error that the token stands for. */
export function readExternalToken(type: string, token: string, use: 'sign-in' | 'merge'): ExternalToken | number {
  const known = use === 'merge' ? { ...faults, ...mergeFaults } : faults
  const [, subject, fault] = /^emu:([^!]{1,1000})(?:!([a-z-]+))?$/.exec(token) ?? []
  if (subject === undefined) return use === 'merge' ? 50_025 : 530_020
  const code = fault === undefined ? undefined : known[fault]
  return code ?? { identity: { type, subject }, locks: fault === 'locked' }
}

/** External ids are the game's own: a fault counts only behind the same prefix. */
export function faultOfUserId(id: string): number | undefined {
  const token = id.startsWith('emu:') ? readExternalToken(botIdentityType, id, 'sign-in') : undefined
  return typeof token === 'number' ? token : undefined
}
