/** A session that the backend holds, as one text: what it has to know of the player, and the tokens. Pure. */
import { isRecord, isText, readJson } from '../../shared/foundation/untrusted-values'
import { isUserId, type UserId } from '../../shared/foundation/ids'
import { Secret } from '../../shared/foundation/secret'
import type { TokenSet } from '../../shared/tokens/token-set'

export interface BackendSessionRecord {
  readonly userId: UserId
  /** Mark of the player's last `end` when the session began; empty if there was none. */
  readonly mark: string
  /** Number of the newest cookie. */
  readonly turn: number
  /** Number of the newest cookie that came back, and of the one that came back before it: -1 if none did. */
  readonly seen: number
  readonly seenBefore: number
  /** Epoch ms when the cookie `seen` came back for the first time. */
  readonly seenAt: number
  /** Number of refreshes. */
  readonly epoch: number
  readonly tokens: TokenSet
  /** Epoch ms when the tokens arrived. */
  readonly issuedAt: number
  /** The ID token's own end, epoch ms. It belongs to the access token. */
  readonly idTokenEnds?: number | undefined
  /** True in a frame of another site. */
  readonly isEmbedded: boolean
}

const TOKEN = /^[!-~]{1,16384}$/

export function encodeBackendSession({ tokens, ...fields }: BackendSessionRecord): string {
  const { accessToken, refreshToken, idToken, expiresAt, scopes } = tokens
  const texts = {
    accessToken: accessToken.reveal(),
    refreshToken: refreshToken?.reveal(),
    idToken: idToken?.reveal(),
  }
  return JSON.stringify({ v: 2, ...fields, ...texts, expiresAt, scopes })
}

/** Undefined for anything else than an encoded record. */
export function decodeBackendSession(text: string | undefined): BackendSessionRecord | undefined {
  const value = readJson(text ?? '')
  if (!isRecord(value) || value['v'] !== 2) return undefined
  const { userId, mark, turn, seen, seenBefore, seenAt, epoch, issuedAt } = value
  const { accessToken, refreshToken, idToken, expiresAt, scopes, idTokenEnds, isEmbedded } = value
  if (!isUserId(userId) || typeof mark !== 'string' || !isNumber(turn) || !isNumber(epoch)) return undefined
  if (
    !isNumber(seen) ||
    !isNumber(seenBefore) ||
    !isNumber(seenAt) ||
    !isNumber(issuedAt) ||
    !isNumber(expiresAt)
  )
    return undefined
  if (!isText(accessToken, TOKEN) || !Array.isArray(scopes)) return undefined
  return {
    userId,
    mark,
    turn,
    seen,
    seenBefore,
    seenAt,
    epoch,
    issuedAt,
    isEmbedded: isEmbedded === true,
    ...(isNumber(idTokenEnds) && { idTokenEnds }),
    tokens: {
      accessToken: new Secret(accessToken),
      tokenType: 'Bearer',
      expiresAt,
      scopes: scopes.map(String),
      ...(isText(refreshToken, TOKEN) && { refreshToken: new Secret(refreshToken) }),
      ...(isText(idToken, TOKEN) && { idToken: new Secret(idToken) }),
    },
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
