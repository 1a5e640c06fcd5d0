/** Renews a session: one request at a time over all tabs, its fate written down before and after, and nothing lost that still works. */
import { ConfigurationError, NetworkError, SessionError } from '../foundation/errors'
import { factsOf } from '../foundation/facts'
import { startPending } from '../foundation/pending'
import { askedPause, tokenRefusal } from '../foundation/token-refusal'
import type { HttpContext, JsonAnswer } from '../http/request'
import type { ServiceProfile } from '../service/profile'
import { requireSession, type SessionKeeper } from './keeper'
import { renewedRecord } from './renewed'
import { doubted, judgeAnswer, judgeInvalid, lost, sending } from './renewal-outcome'
import { isExpired, nextAttempt } from './renewal-plan'
import { isSame, type RefreshAttempt, type SessionRecord } from './session-record'
import type { Surroundings } from './surroundings'
import type { TokenExchange } from './exchange'
import type { Answered, TokenReader } from './token-reader'

/** ms to wait for another tab's renewal: longer than its request may take. */
const LOCK_WAIT = 12_000
/** ms in which another tab, without a lock, may still write its mark over ours. */
const SETTLING = 1000
/** ms between two looks at what another tab has stored, where it cannot announce it. */
const LOOK = 1000

export interface RenewalOptions extends HttpContext {
  profile: ServiceProfile
  keeper: SessionKeeper
  surroundings: Surroundings
  exchange: () => Promise<TokenExchange>
  life: AbortSignal
}

/** `dead`: the access token was refused, whatever the clock says. */
export type Renew = (why: { dead: boolean }) => Promise<SessionRecord>

interface Desk extends RenewalOptions {
  /** An answer that came and could not be read yet, since the keys or the code to do so could not be fetched. */
  unread?: { epoch: number; id: string; answered: Answered } | undefined
}

/**
 * The session after a renewal, whoever did it. Callers at the same time share one.
 * @throws SessionError `signed_out`, `session_expired` without a refresh token, `refresh_in_doubt` (retryable), `refresh_rejected`,
 * `refresh_answer_lost`. @throws NetworkError, ProtocolError, ApiError, AuthorizationError: the session stays.
 */
export function createRenewal(options: RenewalOptions): Renew {
  const desk: Desk = { ...options }
  let flight: Promise<SessionRecord> | undefined
  return (why) => {
    flight ??= fly(desk, why).finally(() => (flight = undefined))
    return flight
  }
}

async function fly(desk: Desk, why: { dead: boolean }): Promise<SessionRecord> {
  const { keeper, surroundings, life } = desk
  const before = requireSession(keeper)
  if (!before.tokens.refreshToken) throw new SessionError('session_expired')
  // What reads the answer is there before anything is sent: an answer that cannot be read is a session lost.
  const exchange = await desk.exchange()
  return keeper.quietly(() =>
    surroundings.lock(`${keeper.key} renewal`, { wait: LOCK_WAIT, signal: life }, async ({ alone }) => {
      await keeper.sync()
      const record = requireSession(keeper)
      return !isSame(record, before)
        ? record
        : attempt(desk, record, {
            exchange,
            alone,
            dead: why.dead || isExpired(record, desk.clock.now()),
            until: desk.clock.now() + LOCK_WAIT,
          })
    }),
  )
}

interface Flight {
  exchange: TokenExchange
  alone: boolean
  dead: boolean
  /** Epoch ms until which the call waits for another tab's renewal. */
  until: number
}

async function attempt(desk: Desk, record: SessionRecord, flight: Flight): Promise<SessionRecord> {
  const { keeper, clock, unread } = desk
  const { exchange, alone, dead, until } = flight
  if (unread && isSame(unread, record)) return commit(desk, record, { read: exchange.read, answered: unread.answered })
  const now = clock.now()
  if (nextAttempt(record.attempt, { now, dead, alone })) {
    if (alone || record.attempt?.outcome !== 'sent' || now >= until) throw inDoubt()
    const next = await whenStored(desk)
    return isSame(next, record) ? attempt(desk, next, flight) : next
  }
  if (!desk.surroundings.online()) {
    keeper.network = 'away'
    throw new NetworkError('offline', 'POST /oauth2/token')
  }
  const marked = { ...record, attempt: sending(record.attempt, now, Math.random()) }
  if (!(await keeper.replace(record, marked))) return requireSession(keeper)
  const current = alone ? marked : await settled(desk)
  if (current.epoch !== record.epoch) return current
  // Another tab wrote after this one, and sends.
  if (current.attempt?.retryAt !== marked.attempt.retryAt) return attempt(desk, current, flight)
  return send(desk, marked, { exchange, before: record.attempt })
}

/** The session when all marks are written that were begun before this one could be seen: the last of them sends. */
async function settled({ keeper, clock }: Desk): Promise<SessionRecord> {
  await new Promise<void>((go) => void clock.after(SETTLING, go))
  await keeper.sync()
  return requireSession(keeper)
}

/** The session as it is when another tab has stored something, or a second has passed. */
async function whenStored({ keeper, clock, surroundings, life }: Desk): Promise<SessionRecord> {
  const news = startPending<void>(clock, { signals: [life], refuse: () => new ConfigurationError('closed', 'client') })
  const stop = [clock.after(LOOK, news.succeed), surroundings.watch({ changed: () => news.succeed(), awake: news.succeed })]
  try {
    await news.promise
  } finally {
    for (const each of stop) each()
  }
  await keeper.sync()
  return requireSession(keeper)
}

/** The request itself, and what becomes of it. */
async function send(desk: Desk, record: Marked, { exchange, before }: { exchange: TokenExchange; before: RefreshAttempt | undefined }) {
  const { clock, profile, clientId, refreshToken } = { ...desk, ...record, ...record.tokens }
  let answer: JsonAnswer
  try {
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken?.reveal(), client_id: clientId }
    answer = await exchange.post({ url: profile.tokenUrl, fields })
  } catch (error) {
    throw await fail(desk, record, { error })
  }
  const verdict = judgeAnswer(answer)
  if (verdict === 'renewed') return commit(desk, record, { read: exchange.read, answered: { answer, receivedAt: clock.now() } })
  if (verdict === 'invalid') return refuse(desk, record, before)
  const { retryAfter, date = clock.now() } = answer
  throw await fail(desk, record, { error: tokenRefusal(answer), asked: askedPause(retryAfter, date) })
}

type Marked = SessionRecord & { attempt: RefreshAttempt }

interface Failure {
  error: unknown
  /** ms for which the service asks to be left alone; undefined when it said nothing at all. */
  asked?: number
}

/** No answer that could be used: the session stays, and is asked again later. */
async function fail({ keeper, clock, surroundings }: Desk, record: SessionRecord, { error, asked }: Failure): Promise<unknown> {
  const { attempt: open } = record
  // A page that is being closed has heard nothing: the next one judges as after a crash.
  if (open && !surroundings.leaving?.()) await keeper.replace(record, { ...record, attempt: lost(open, clock.now(), asked) })
  keeper.network = error instanceof NetworkError ? 'away' : 'there'
  keeper.log('warn', 'session.renewal_failed', factsOf(error))
  return error
}

/** The pair is stored before anyone uses it. */
async function commit(desk: Desk, record: SessionRecord, { read, answered }: { read: TokenReader; answered: Answered }) {
  const { keeper } = desk
  const { id, epoch, clientId, tokens } = record
  let next: SessionRecord
  try {
    const expected = { clientId, scopes: tokens.scopes.join(' '), renewal: true, ...nonceOf(record) }
    next = renewedRecord(record, await read(answered, expected))
    desk.unread = undefined
  } catch (error) {
    // Keys that cannot be fetched must not cost a session whose answer has come.
    const again = codeOf(error) === 'keys_unavailable' || error instanceof NetworkError
    desk.unread = again ? { id, epoch, answered } : undefined
    throw await fail(desk, record, { error })
  }
  return (await keeper.replace(record, next)) ? next : requireSession(keeper)
}

async function refuse({ keeper, clock }: Desk, record: Marked, before: RefreshAttempt | undefined): Promise<SessionRecord> {
  // Where there are no locks, another tab may have been faster.
  const now = await keeper.sync()
  if (now && !isSame(now, record)) return now
  const meaning = judgeInvalid(before)
  if (meaning === 'doubt') {
    await keeper.replace(record, { ...record, attempt: doubted(record.attempt, clock.now()) })
    throw inDoubt()
  }
  const rejected = keeper.rolledBack ? 'token_rolled_back' : 'refresh_rejected'
  const error = new SessionError(meaning === 'rejected' ? rejected : 'refresh_answer_lost')
  await keeper.end(error)
  throw error
}

const inDoubt = (): SessionError => new SessionError('refresh_in_doubt', '', { retryable: true })

function nonceOf({ tokens: { claims } }: SessionRecord): { nonce?: string } {
  return typeof claims?.nonce === 'string' ? { nonce: claims.nonce } : {}
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')
