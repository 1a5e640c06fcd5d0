/** Renews a session: one request at a time over all tabs, its fate written down before and after, and nothing lost that still works. */
import { ConfigurationError, NetworkError, SessionError } from '../../foundation/errors'
import { factsOf } from '../../foundation/ambient'
import { createDeferred } from '../../foundation/deferred'
import { parseRetryAfter, tokenErrorFrom } from '../../foundation/token-error'
import type { HttpContext, JsonAnswer } from '../../http/request'
import type { ServiceConfig } from '../../service/config'
import { requireSession, type CurrentSession } from './current-session'
import { applyRefresh } from './refreshed-record'
import { markInDoubt, judgeAnswer, judgeInvalid, markLost, markSent } from './refresh-outcome'
import { isExpired, nextAttempt } from './refresh-policy'
import { isSame, type RefreshAttempt, type SessionRecord } from './record'
import type { SessionEnvironment } from './environment'
import type { TokenClient } from '../token-client'
import type { ReceivedResponse, TokenResponseReader } from '../token-response'

/** ms to wait for another tab's renewal: longer than its request may take. */
const LOCK_WAIT = 12_000
/** ms in which another tab, without a lock, may still write its mark over ours. */
const SETTLING = 1000
/** ms between two looks at what another tab has stored, where it cannot announce it. */
const LOOK = 1000

export interface RefreshOptions extends HttpContext {
  service: ServiceConfig
  currentSession: CurrentSession
  environment: SessionEnvironment
  exchange: () => Promise<TokenClient>
  closeSignal: AbortSignal
}

/** `dead`: the access token was refused, whatever the clock says. */
export type Refresh = (why: { dead: boolean }) => Promise<SessionRecord>

interface RefreshContext extends RefreshOptions {
  /** An answer that came and could not be read yet, since the keys or the code to do so could not be fetched. */
  unread?: { epoch: number; id: string; answered: ReceivedResponse } | undefined
}

/**
 * The session after a renewal, whoever did it. Callers at the same time share one.
 * @throws SessionError `signed_out`, `session_expired` without a refresh token, `refresh_in_doubt` (retryable), `refresh_rejected`,
 * `refresh_answer_lost`. @throws NetworkError, ProtocolError, ApiError, AuthorizationError: the session stays.
 */
export function createRefresher(options: RefreshOptions): Refresh {
  const context: RefreshContext = { ...options }
  let flight: Promise<SessionRecord> | undefined
  return (why) => {
    flight ??= refreshOnce(context, why).finally(() => (flight = undefined))
    return flight
  }
}

async function refreshOnce(context: RefreshContext, why: { dead: boolean }): Promise<SessionRecord> {
  const { currentSession, environment, closeSignal } = context
  const before = requireSession(currentSession)
  if (!before.tokens.refreshToken) throw new SessionError('session_expired')
  // What reads the answer is there before anything is sent: an answer that cannot be read is a session lost.
  const tokenClient = await context.exchange()
  return currentSession.withDeferredNotifications(() =>
    environment.lock(`${currentSession.key} renewal`, { wait: LOCK_WAIT, signal: closeSignal }, async ({ alone }) => {
      await currentSession.sync()
      const record = requireSession(currentSession)
      return !isSame(record, before)
        ? record
        : attempt(context, record, {
            tokenClient,
            alone,
            dead: why.dead || isExpired(record, context.clock.now()),
            until: context.clock.now() + LOCK_WAIT,
          })
    }),
  )
}

interface InFlightRefresh {
  tokenClient: TokenClient
  alone: boolean
  dead: boolean
  /** Epoch ms until which the call waits for another tab's renewal. */
  until: number
}

async function attempt(context: RefreshContext, record: SessionRecord, flight: InFlightRefresh): Promise<SessionRecord> {
  const { currentSession, clock, unread } = context
  const { tokenClient, alone, dead, until } = flight
  if (unread && isSame(unread, record)) return commit(context, record, { read: tokenClient.read, answered: unread.answered })
  const now = clock.now()
  if (nextAttempt(record.attempt, { now, dead, alone })) {
    if (alone || record.attempt?.outcome !== 'sent' || now >= until) throw inDoubt()
    const next = await whenStored(context)
    return isSame(next, record) ? attempt(context, next, flight) : next
  }
  if (!context.environment.online()) {
    currentSession.network = 'away'
    throw new NetworkError('offline', 'POST /oauth2/token')
  }
  const marked = { ...record, attempt: markSent(record.attempt, now, Math.random()) }
  if (!(await currentSession.replace(record, marked))) return requireSession(currentSession)
  const current = alone ? marked : await whenSettled(context)
  if (current.epoch !== record.epoch) return current
  // Another tab wrote after this one, and sends.
  if (current.attempt?.retryAt !== marked.attempt.retryAt) return attempt(context, current, flight)
  return send(context, marked, { tokenClient, before: record.attempt })
}

/** The session when all marks are written that were begun before this one could be seen: the last of them sends. */
async function whenSettled({ currentSession, clock }: RefreshContext): Promise<SessionRecord> {
  await new Promise<void>((go) => void clock.after(SETTLING, go))
  await currentSession.sync()
  return requireSession(currentSession)
}

/** The session as it is when another tab has stored something, or a second has passed. */
async function whenStored({ currentSession, clock, environment, closeSignal }: RefreshContext): Promise<SessionRecord> {
  const news = createDeferred<void>(clock, { signals: [closeSignal], makeError: () => new ConfigurationError('closed', 'client') })
  const stop = [clock.after(LOOK, news.resolve), environment.watch({ changed: () => news.resolve(), awake: news.resolve })]
  try {
    await news.promise
  } finally {
    for (const each of stop) each()
  }
  await currentSession.sync()
  return requireSession(currentSession)
}

/** The request itself, and what becomes of it. */
async function send(
  context: RefreshContext,
  record: RecordWithAttempt,
  { tokenClient, before }: { tokenClient: TokenClient; before: RefreshAttempt | undefined },
) {
  const { clock, service, clientId, refreshToken } = { ...context, ...record, ...record.tokens }
  let answer: JsonAnswer
  try {
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken?.reveal(), client_id: clientId }
    answer = await tokenClient.post({ url: service.tokenUrl, fields })
  } catch (error) {
    throw await fail(context, record, { error })
  }
  const verdict = judgeAnswer(answer)
  if (verdict === 'renewed') return commit(context, record, { read: tokenClient.read, answered: { answer, receivedAt: clock.now() } })
  if (verdict === 'invalid') return refuse(context, record, before)
  const { retryAfter, date = clock.now() } = answer
  throw await fail(context, record, { error: tokenErrorFrom(answer), asked: parseRetryAfter(retryAfter, date) })
}

type RecordWithAttempt = SessionRecord & { attempt: RefreshAttempt }

interface Failure {
  error: unknown
  /** ms for which the service asks to be left alone; undefined when it said nothing at all. */
  asked?: number
}

/** No answer that could be used: the session stays, and is asked again later. */
async function fail(
  { currentSession, clock, environment }: RefreshContext,
  record: SessionRecord,
  { error, asked }: Failure,
): Promise<unknown> {
  const { attempt: open } = record
  // A page that is being closed has heard nothing: the next one judges as after a crash.
  if (open && !environment.leaving?.()) await currentSession.replace(record, { ...record, attempt: markLost(open, clock.now(), asked) })
  currentSession.network = error instanceof NetworkError ? 'away' : 'there'
  currentSession.log('warn', 'session.renewal_failed', factsOf(error))
  return error
}

/** The pair is stored before anyone uses it. */
async function commit(
  context: RefreshContext,
  record: SessionRecord,
  { read, answered }: { read: TokenResponseReader; answered: ReceivedResponse },
) {
  const { currentSession } = context
  const { id, epoch, clientId, tokens } = record
  let next: SessionRecord
  try {
    const expected = { clientId, scopes: tokens.scopes.join(' '), isRefresh: true, ...nonceOf(record) }
    next = applyRefresh(record, await read(answered, expected))
    context.unread = undefined
  } catch (error) {
    // Keys that cannot be fetched must not cost a session whose answer has come.
    const again = codeOf(error) === 'keys_unavailable' || error instanceof NetworkError
    context.unread = again ? { id, epoch, answered } : undefined
    throw await fail(context, record, { error })
  }
  return (await currentSession.replace(record, next)) ? next : requireSession(currentSession)
}

async function refuse(
  { currentSession, clock }: RefreshContext,
  record: RecordWithAttempt,
  before: RefreshAttempt | undefined,
): Promise<SessionRecord> {
  // Where there are no locks, another tab may have been faster.
  const now = await currentSession.sync()
  if (now && !isSame(now, record)) return now
  const meaning = judgeInvalid(before)
  if (meaning === 'doubt') {
    await currentSession.replace(record, { ...record, attempt: markInDoubt(record.attempt, clock.now()) })
    throw inDoubt()
  }
  const rejected = currentSession.rolledBack ? 'token_rolled_back' : 'refresh_rejected'
  const error = new SessionError(meaning === 'rejected' ? rejected : 'refresh_answer_lost')
  await currentSession.end(error)
  throw error
}

const inDoubt = (): SessionError => new SessionError('refresh_in_doubt', '', { retryable: true })

function nonceOf({ tokens: { claims } }: SessionRecord): { nonce?: string } {
  return typeof claims?.nonce === 'string' ? { nonce: claims.nonce } : {}
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')
