/** Serializes a session as one string, and validates it as untrusted input when it is read. Pure. */
import { isRecord, isText } from '../../shared/foundation/untrusted-values'
import type { SessionErrorCode } from '../../shared/foundation/errors'
import { isApplicationId, isUserId, type ApplicationId, type UserId } from '../../shared/foundation/ids'
import { Secret } from '../../shared/foundation/secret'
import { isSessionUser, type SessionUser } from '../../shared/tokens/session-user'
import type { IdTokenClaims, TokenSet } from '../../shared/tokens/token-set'

/** A session with all data needed to refresh it. */
export interface SessionRecord {
  /** Random id, constant from sign-in to sign-out. */
  readonly id: string
  /** Number of refreshes. */
  readonly epoch: number
  /** The service that issued the tokens. */
  readonly issuer: string
  readonly clientId: ApplicationId
  readonly userId: UserId
  readonly tokens: TokenSet
  /** The user that the service returned. Empty if it returns none, undefined before it has answered. */
  readonly user?: SessionUser | undefined
  readonly asked: readonly string[]
  /** Epoch ms of this machine's clock. */
  readonly obtainedAt: number
  /** Epoch ms when the ID token arrived, if a later refresh brought none. */
  readonly idTokenAt?: number | undefined
  /** Set while a refresh is running, or its outcome is unknown. */
  readonly attempt?: RefreshAttempt | undefined
}

/** A refresh without a processed response: the service may or may not have invalidated the refresh token. */
export interface RefreshAttempt {
  /** Epoch ms when the request was sent. */
  readonly at: number
  /** Number of requests sent with this refresh token. */
  readonly tries: number
  /**
   * `sent`: no outcome is known. `lost`: no usable response arrived. `refused`: rejected with `invalid_grant`, after a request without a
   * response.
   */
  readonly outcome: 'sent' | 'lost' | 'refused'
  /** Epoch ms before which it is not sent again. */
  readonly retryAt: number
}

/** Possible values of a key. `foreign`: written by a later version of the SDK, must not be changed. */
export type Stored =
  { record: SessionRecord } | { ended: string; why: SessionErrorCode } | 'foreign' | undefined

/** The service and the application that a record must belong to. */
export interface RecordOwner {
  readonly issuer: string
  /** Undefined for a client without an application id: it accepts the record of any application. */
  readonly clientId: ApplicationId | undefined
}

const VERSION = 1
/** Reasons that end a session for all tabs. */
const ENDS: readonly SessionErrorCode[] = [
  'signed_out',
  'refresh_rejected',
  'refresh_answer_lost',
  'token_rolled_back',
]
const OUTCOMES: readonly RefreshAttempt['outcome'][] = ['sent', 'lost', 'refused']
const MAX_LENGTH = 128 * 1024
const ID = /^[\w-]{43}$/
/** As long as a token response may have. */
const TOKEN = /^[!-~]{1,16384}$/
const SCOPE = /^[!#-[\]-~]{1,4096}$/

export function encodeRecord({ tokens, ...fields }: SessionRecord): string {
  const { accessToken, refreshToken, idToken, claims, scopes, expiresAt } = tokens
  return JSON.stringify({
    v: VERSION,
    ...fields,
    claims,
    expiresAt,
    scopes,
    accessToken: accessToken.reveal(),
    refreshToken: refreshToken?.reveal(),
    idToken: idToken?.reveal(),
  })
}

/** Serializes the end of a session. It distinguishes a sign-out from a store that was cleared. */
export function encodeEnd(id: string, why: SessionErrorCode): string {
  return JSON.stringify({ v: VERSION, ended: id, why })
}

/** Undefined for an invalid record, and for a record of another service or application. */
export function decodeStored(text: string | undefined, owner: RecordOwner): Stored {
  const value = parse(text)
  if (!isRecord(value)) return undefined
  if (typeof value['v'] === 'number' && value['v'] > VERSION) return 'foreign'
  if (value['v'] !== VERSION) return undefined
  if (isText(value['ended'], ID))
    return { ended: value['ended'], why: ENDS.find((code) => code === value['why']) ?? 'signed_out' }
  const record = decodeRecord(value)
  return record && belongsTo(record, owner) ? { record } : undefined
}

function belongsTo(record: SessionRecord, { issuer, clientId }: RecordOwner): boolean {
  return record.issuer === issuer && (clientId === undefined || record.clientId === clientId)
}

function decodeRecord(value: Readonly<Record<string, unknown>>): SessionRecord | undefined {
  const { id, epoch, issuer, clientId, userId, asked, obtainedAt, attempt, user, idTokenAt } = value
  const isValid =
    isText(id, ID) &&
    isCount(epoch) &&
    Number.isInteger(epoch) &&
    isApplicationId(clientId) &&
    isUserId(userId) &&
    isStrings(asked)
  if (!isValid || !isCount(obtainedAt) || typeof issuer !== 'string') return undefined
  const tokens = decodeTokens(value, userId)
  const decodedAttempt = decodeAttempt(attempt)
  if (!tokens || (attempt !== undefined && !decodedAttempt)) return undefined
  return {
    id,
    epoch,
    issuer,
    clientId,
    userId,
    asked,
    obtainedAt,
    tokens,
    attempt: decodedAttempt,
    ...(isSessionUser(user) && { user }),
    idTokenAt: isCount(idTokenAt) ? idTokenAt : undefined,
  }
}

function decodeTokens(value: Readonly<Record<string, unknown>>, userId: UserId): TokenSet | undefined {
  const { accessToken, refreshToken, idToken, scopes, expiresAt, claims } = value
  if (!isText(accessToken, TOKEN) || !isOptional(refreshToken) || !isOptional(idToken)) return undefined
  if (!isStrings(scopes) || !isCount(expiresAt) || !(claims === undefined || isClaims(claims, userId)))
    return undefined
  return {
    accessToken: new Secret(accessToken),
    tokenType: 'Bearer',
    expiresAt,
    scopes,
    ...(refreshToken !== undefined && { refreshToken: new Secret(refreshToken) }),
    ...(idToken !== undefined && { idToken: new Secret(idToken) }),
    ...(claims && { claims }),
  }
}

function decodeAttempt(value: unknown): RefreshAttempt | undefined {
  if (!isRecord(value)) return undefined
  const { at, tries, retryAt } = value
  const outcome = OUTCOMES.find((known) => known === value['outcome'])
  return outcome && isCount(at) && isCount(tries) && isCount(retryAt)
    ? { at, tries, outcome, retryAt }
    : undefined
}

function isClaims(value: unknown, userId: UserId): value is IdTokenClaims {
  return isRecord(value) && value['sub'] === userId
}

function parse(text: string | undefined): unknown {
  try {
    return text && text.length <= MAX_LENGTH && JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Not always an integer: some clocks return fractions of a millisecond, some services fractions of a second. */
const isCount = (value: unknown): value is number => Number.isFinite(value) && Number(value) >= 0

const isOptional = (value: unknown): value is string | undefined =>
  value === undefined || isText(value, TOKEN)

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 4096 && value.every((text) => isText(text, SCOPE))
