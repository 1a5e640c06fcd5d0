/** A session as it is stored: one text that is whole or worthless, read as if anyone had written it. Pure. */
import { isRecord, isText } from '../../foundation/encoding'
import type { SessionErrorCode } from '../../foundation/errors'
import { isApplicationId, isUserId, type ApplicationId, type UserId } from '../../foundation/ids'
import { Secret } from '../../foundation/secret'
import type { IdTokenClaims, TokenSet } from '../token-set'

/** A session with all that is needed to renew it. */
export interface SessionRecord {
  /** Random, the same for the life of one sign-in. */
  readonly id: string
  /** How often it was renewed. */
  readonly epoch: number
  /** The service that gave the tokens. */
  readonly issuer: string
  readonly clientId: ApplicationId
  readonly userId: UserId
  readonly tokens: TokenSet
  readonly asked: readonly string[]
  /** Epoch ms of this machine's clock. */
  readonly obtainedAt: number
  /** There while a renewal is under way, or its end unknown. */
  readonly attempt?: RefreshAttempt | undefined
}

/** A renewal whose answer is not here: the service may have ended the refresh token or not. */
export interface RefreshAttempt {
  /** Epoch ms when the request was sent. */
  readonly at: number
  /** Requests that were sent with this refresh token. */
  readonly tries: number
  /** `sent`: no end is known. `lost`: no answer came, or none that could be used. `refused`: by `invalid_grant`, after one that was never answered. */
  readonly outcome: 'sent' | 'lost' | 'refused'
  /** Epoch ms before which it is not sent again. */
  readonly retryAt: number
}

/** What may stand under a key. `foreign`: written by a later version, to be left alone. */
export type Stored = { record: SessionRecord } | { ended: string; why: SessionErrorCode } | 'foreign' | undefined

/** The service and the application that a record must belong to. */
export interface RecordOwner {
  readonly issuer: string
  /** Undefined for a client without an application id: it takes the record of any. */
  readonly clientId: ApplicationId | undefined
}

/** Whether two are the same state of the same session. */
export function isSame(one: RecordAge | null | undefined, other: RecordAge): boolean {
  return one?.id === other.id && one.epoch === other.epoch
}

type RecordAge = Pick<SessionRecord, 'id' | 'epoch'>

const VERSION = 1
/** What ends a session for all tabs. */
const ENDS: readonly SessionErrorCode[] = ['signed_out', 'refresh_rejected', 'refresh_answer_lost', 'token_rolled_back']
const OUTCOMES: readonly RefreshAttempt['outcome'][] = ['sent', 'lost', 'refused']
const MAX_TEXT = 128 * 1024
const ID = /^[\w-]{43}$/
/** No more than the wire may bring. */
const TOKEN = /^[!-~]{1,16384}$/
const SCOPE = /^[!#-[\]-~]{1,4096}$/

export function encodeRecord({ tokens, ...facts }: SessionRecord): string {
  const { accessToken, refreshToken, idToken, claims, scopes, expiresAt } = tokens
  return JSON.stringify({
    v: VERSION,
    ...facts,
    claims,
    expiresAt,
    scopes,
    accessToken: accessToken.reveal(),
    refreshToken: refreshToken?.reveal(),
    idToken: idToken?.reveal(),
  })
}

/** What stays of a session that the player ended: enough to tell that from a store that was wiped. */
export function encodeEnd(id: string, why: SessionErrorCode): string {
  return JSON.stringify({ v: VERSION, ended: id, why })
}

/** Undefined for anything that is no record, and for a record of another service or application. */
export function decodeStored(text: string | undefined, owner: RecordOwner): Stored {
  const value = parse(text)
  if (!isRecord(value)) return undefined
  if (typeof value['v'] === 'number' && value['v'] > VERSION) return 'foreign'
  if (value['v'] !== VERSION) return undefined
  if (isText(value['ended'], ID)) return { ended: value['ended'], why: ENDS.find((code) => code === value['why']) ?? 'signed_out' }
  const record = decodeRecord(value)
  return record && belongsTo(record, owner) ? { record } : undefined
}

function belongsTo(record: SessionRecord, { issuer, clientId }: RecordOwner): boolean {
  return record.issuer === issuer && (clientId === undefined || record.clientId === clientId)
}

function decodeRecord(value: Readonly<Record<string, unknown>>): SessionRecord | undefined {
  const { id, epoch, issuer, clientId, userId, asked, obtainedAt, attempt } = value
  const isSound =
    isText(id, ID) && isCount(epoch) && Number.isInteger(epoch) && isApplicationId(clientId) && isUserId(userId) && isTexts(asked)
  if (!isSound || !isCount(obtainedAt) || typeof issuer !== 'string') return undefined
  const tokens = decodeTokens(value, userId)
  const open = decodeAttempt(attempt)
  if (!tokens || (attempt !== undefined && !open)) return undefined
  return { id, epoch, issuer, clientId, userId, asked, obtainedAt, tokens, attempt: open }
}

function decodeTokens(value: Readonly<Record<string, unknown>>, userId: UserId): TokenSet | undefined {
  const { accessToken, refreshToken, idToken, scopes, expiresAt, claims } = value
  if (!isText(accessToken, TOKEN) || !isOptional(refreshToken) || !isOptional(idToken)) return undefined
  if (!isTexts(scopes) || !isCount(expiresAt) || !(claims === undefined || isClaims(claims, userId))) return undefined
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
  return outcome && isCount(at) && isCount(tries) && isCount(retryAt) ? { at, tries, outcome, retryAt } : undefined
}

function isClaims(value: unknown, userId: UserId): value is IdTokenClaims {
  return isRecord(value) && value['sub'] === userId
}

function parse(text: string | undefined): unknown {
  try {
    return text && text.length <= MAX_TEXT && JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Not always whole: some clocks tell fractions of a millisecond, some services those of a second. */
const isCount = (value: unknown): value is number => Number.isFinite(value) && Number(value) >= 0

const isOptional = (value: unknown): value is string | undefined => value === undefined || isText(value, TOKEN)

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 4096 && value.every((text) => isText(text, SCOPE))
