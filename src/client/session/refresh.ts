/** Refreshes a session ahead of its end: one request at a time over all tabs, with its state stored before and after, so that no valid token is lost. */
import type { Clock } from '../../shared/foundation/clock'
import { ConfigurationError, NetworkError, SessionError, ProtocolError } from '../../shared/foundation/errors'
import { factsOf } from '../../shared/foundation/log-entry'
import { createDeferred } from '../../shared/foundation/async'
import type { JsonResponse } from '../../shared/http/http-client'
import { TOKEN_TIMEOUT } from '../../shared/service/service-config'
import type {
  ReceivedResponse,
  TokenResponseReader,
  VerifiedTokens,
} from '../../shared/tokens/token-endpoint'
import type { TokenSet } from '../../shared/tokens/token-set'
import type { CurrentSession, SessionEnvironment } from './current-session'
import { isSame, type RefreshAttempt, type SessionRecord, type Session } from './session'
import type { TokenClient } from './token-client'

/** ms in which another tab, without a lock, may still overwrite this tab's attempt. */
const COMPETING_WRITE_DELAY = 1000
/** Polling interval in ms for changes by another tab that cannot announce them. */
const POLL_INTERVAL = 1000

interface RefreshOptions {
  clock: Clock
  /** As for `HttpContext`. */
  tokenTimeout: number | undefined
  currentSession: CurrentSession
  environment: SessionEnvironment
  tokenClient: () => Promise<TokenClient>
  closeSignal: AbortSignal
  /** Brings new tokens for a session without a refresh token; null ends it. Default: such a session cannot be refreshed. */
  renew?: RenewTokens | undefined
}

/** The service rejected the access token, whatever its expiry. */
export interface RefreshReason {
  dead: true
}

interface RefreshContext extends RefreshOptions {
  /** A response that could not be processed yet, because the keys could not be fetched. */
  unread?: { epoch: number; id: string; received: ReceivedResponse } | undefined
}

export class Refresher {
  readonly #context: RefreshContext
  /** By session: the players of two sessions never wait for one another's outcome. */
  readonly #inFlight = new Map<string, Promise<SessionRecord>>()

  constructor(options: RefreshOptions) {
    this.#context = { ...options }
  }

  /**
   * Refreshes the session that `record` is a state of, and no other. Resolves with the current record, whichever tab refreshed it: of another
   * session, if one took its place meanwhile. Simultaneous callers share one refresh.
   *
   * @throws SessionError `signed_out`, `session_expired` without a refresh token, `refresh_in_doubt` (retryable), `refresh_rejected`,
   * `refresh_answer_lost`. @throws NetworkError, ProtocolError, ApiError, AuthorizationError: the session stays.
   */
  refresh({ id }: SessionRecord, why?: RefreshReason): Promise<SessionRecord> {
    const running =
      this.#inFlight.get(id) ?? refreshOnce(this.#context, id, why).finally(() => this.#inFlight.delete(id))
    this.#inFlight.set(id, running)
    return running
  }
}

async function refreshOnce(context: RefreshContext, id: string, why?: RefreshReason): Promise<SessionRecord> {
  const { currentSession, environment, closeSignal } = context
  const wait = inFlightTime(context.tokenTimeout)
  const before = currentSession.requireRecord()
  if (before.id !== id) return before
  if (!before.tokens.refreshToken && !context.renew) throw new SessionError('session_expired')
  // The code that reads the response is loaded before the request is sent: without it a response would be lost, and the session with it.
  const tokenClient = await context.tokenClient()
  return currentSession.withDeferredNotifications(() =>
    environment.lock(`${currentSession.key} refresh`, { wait, signal: closeSignal }, async ({ alone }) => {
      await currentSession.sync()
      const record = currentSession.requireRecord()
      if (!isSame(record, before)) return record
      return context.renew && !record.tokens.refreshToken
        ? renewSession(currentSession, context.renew, record)
        : tryRefresh(context, record, {
            tokenClient,
            alone,
            dead: why?.dead || isExpired(record, context.clock.now()),
            until: context.clock.now() + wait,
          })
    }),
  )
}

interface RefreshState {
  tokenClient: TokenClient
  alone: boolean
  dead: boolean
  /** Epoch ms until which the call waits for another tab's refresh. */
  until: number
}

async function tryRefresh(
  context: RefreshContext,
  record: SessionRecord,
  state: RefreshState,
): Promise<SessionRecord> {
  const { currentSession, clock, unread } = context
  const { tokenClient, alone, dead, until } = state
  if (unread && isSame(unread, record))
    return commit(context, record, { read: tokenClient.read, received: unread.received })
  const now = clock.now()
  if (nextAttempt(record.attempt, { now, dead, alone, tokenTimeout: context.tokenTimeout })) {
    if (alone || record.attempt?.outcome !== 'sent' || now >= until) throw inDoubt()
    const next = await waitForChange(context)
    return isSame(next, record) ? tryRefresh(context, next, state) : next
  }
  const sent = { ...record, attempt: markSent(record.attempt, now, Math.random()) }
  if (!(await currentSession.replace(record, sent))) return currentSession.requireRecord()
  const current = alone ? sent : await afterCompetingWrites(context)
  if (!isSame(current, record)) return current
  // Another tab wrote its attempt later, and will send the request.
  if (current.attempt?.retryAt !== sent.attempt.retryAt) return tryRefresh(context, current, state)
  return send(context, sent, { tokenClient, before: record.attempt })
}

/** The session after a delay in which competing attempts become visible: the tab that wrote last sends the request. */
async function afterCompetingWrites({ currentSession, clock }: RefreshContext): Promise<SessionRecord> {
  await new Promise<void>((resolve) => void clock.after(COMPETING_WRITE_DELAY, resolve))
  await currentSession.sync()
  return currentSession.requireRecord()
}

/** The session after another tab has stored something, or after a second. */
async function waitForChange({
  currentSession,
  clock,
  environment,
  closeSignal,
}: RefreshContext): Promise<SessionRecord> {
  const changed = createDeferred<void>(clock, {
    signals: [closeSignal],
    makeError: () => new ConfigurationError('closed', 'client'),
  })
  const stop = [
    clock.after(POLL_INTERVAL, changed.resolve),
    environment.watch({ changed: () => changed.resolve(), awake: changed.resolve }),
  ]
  try {
    await changed.promise
  } finally {
    for (const each of stop) each()
  }
  await currentSession.sync()
  return currentSession.requireRecord()
}

/** Sends the request and processes the outcome. */
async function send(
  context: RefreshContext,
  record: RecordWithAttempt,
  { tokenClient, before }: { tokenClient: TokenClient; before: RefreshAttempt | undefined },
) {
  const { clock, clientId, refreshToken } = { ...context, ...record, ...record.tokens }
  let response: JsonResponse
  try {
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken?.reveal(), client_id: clientId }
    response = await tokenClient.post(fields)
  } catch (error) {
    await recordFailure(context, record, { error })
    // `navigator.onLine` explains a failure, but proves none: some systems report no network while requests succeed.
    const isOffline =
      error instanceof NetworkError && error.code === 'connection_failed' && !context.environment.online()
    throw isOffline ? new NetworkError('offline', tokenClient.route, { cause: error }) : error
  }
  const verdict = evaluateResponse(response)
  if (verdict === 'refreshed')
    return commit(context, record, {
      read: tokenClient.read,
      received: { response, receivedAt: clock.now() },
    })
  if (verdict === 'invalid') return handleInvalidGrant(context, record, before)
  throw await recordFailure(context, record, tokenClient.readRefusal(response))
}

type RecordWithAttempt = SessionRecord & { attempt: RefreshAttempt }

interface Failure {
  error: unknown
  /** Wait in ms that the service requested; undefined if no response arrived. */
  delay?: number
}

/** No usable response: the session stays, and the refresh is retried later. */
async function recordFailure(
  { currentSession, clock, environment }: RefreshContext,
  record: SessionRecord,
  { error, delay }: Failure,
): Promise<unknown> {
  const { attempt: current } = record
  // A page that is being closed may have missed the response: the next page continues as after a crash.
  if (current && !environment.leaving?.())
    await currentSession.replace(record, { ...record, attempt: markLost(current, clock.now(), delay) })
  currentSession.network = error instanceof NetworkError ? 'away' : 'there'
  currentSession.log('warn', 'session.refresh_failed', factsOf(error))
  return error
}

/** Stores the new tokens before they are used. */
async function commit(
  context: RefreshContext,
  record: SessionRecord,
  { read, received }: { read: TokenResponseReader; received: ReceivedResponse },
) {
  const { currentSession } = context
  const { id, epoch, clientId, tokens } = record
  let next: SessionRecord
  try {
    const expected = { clientId, scopes: tokens.scopes.join(' '), isRefresh: true, ...nonceOf(record) }
    next = applyRefresh(record, await read(received, expected))
    context.unread = undefined
  } catch (error) {
    // A failure to fetch the keys must not end a session whose response has arrived.
    context.unread = codeOf(error) === 'keys_unavailable' ? { id, epoch, received } : undefined
    throw await recordFailure(context, record, { error })
  }
  return (await currentSession.replace(record, next)) ? next : currentSession.requireRecord()
}

async function handleInvalidGrant(
  { currentSession, clock }: RefreshContext,
  record: RecordWithAttempt,
  before: RefreshAttempt | undefined,
): Promise<SessionRecord> {
  // Without locks another tab may have been faster.
  await currentSession.sync()
  if (!isSame(currentSession.record, record)) return currentSession.requireRecord()
  const verdict = evaluateInvalidGrant(before)
  if (verdict === 'doubt') {
    await currentSession.replace(record, { ...record, attempt: markInDoubt(record.attempt, clock.now()) })
    throw inDoubt()
  }
  const rejected = currentSession.rolledBack ? 'token_rolled_back' : 'refresh_rejected'
  const error = new SessionError(verdict === 'rejected' ? rejected : 'refresh_answer_lost')
  await currentSession.end(error)
  throw error
}

const inDoubt = (): SessionError => new SessionError('refresh_in_doubt', '', { retryable: true })

function nonceOf({ tokens: { claims } }: SessionRecord): { nonce?: string } {
  return typeof claims?.nonce === 'string' ? { nonce: claims.nonce } : {}
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown'

/** Resolves with new tokens of the same player, or with null if the session is over. */
type RenewTokens = (record: SessionRecord) => Promise<VerifiedTokens | null>

/** @throws SessionError `session_expired` if there are no new tokens: the session ends. @throws the errors of `renew`: it stays. */
async function renewSession(
  currentSession: CurrentSession,
  renew: RenewTokens,
  record: SessionRecord,
): Promise<SessionRecord> {
  const renewed = await renew(record)
  if (renewed) {
    await currentSession.replace(record, applyRefresh(record, renewed))
    return currentSession.requireRecord()
  }
  const error = new SessionError('session_expired')
  if (currentSession.record?.id === record.id) await currentSession.end(error)
  throw error
}

/** Maximum delay of a timer, in ms. */
const MAX_DELAY = 600_000
/** ms after waking up until the network is likely to be available. */
const WAKE_DELAY = 2000
const MIN_DELAY = 1000
/** ms between two attempts while the machine reports that it has no network. */
const OFFLINE_DELAY = 300_000
/** ms after the start of a refresh until the next check. */
const AFTER_REFRESH = 30_000

interface SchedulerOptions {
  currentSession: CurrentSession
  environment: SessionEnvironment
  /** Its timers do not keep a process alive. */
  clock: Clock
  refresh: (record: SessionRecord) => Promise<unknown>
  /** True while the game holds refreshes back. */
  held: () => boolean
  /** False for a session that nothing can refresh. */
  canRefresh: (record: SessionRecord) => boolean
  expiring: (session: Session) => void
  closeSignal: AbortSignal
}

export interface RefreshScheduler {
  /** Checks the deadlines again, after the session changed or a hold was released. */
  reschedule(): void
}

export function startRefreshScheduler(options: SchedulerOptions): RefreshScheduler {
  const { currentSession, environment, clock, closeSignal } = options
  const notice = createExpiryNotice(options)
  let cancel: (() => void) | undefined
  const schedule = (ms: number) => {
    cancel?.()
    if (!closeSignal.aborted) cancel = clock.after(Math.min(Math.max(ms, MIN_DELAY), MAX_DELAY), reschedule)
  }
  const reschedule = () => {
    const { record, session } = currentSession
    if (!record || !session) return cancel?.()
    const wait = waitFor(options, record)
    if (wait > 0) notice(session, record)
    // Failures of a background refresh are ignored here: the next call that needs the token reports them.
    else void options.refresh(record).catch(() => undefined)
    schedule(wait || AFTER_REFRESH)
  }
  const stop = watchOtherTabs(currentSession, environment, () => schedule(WAKE_DELAY))
  closeSignal.addEventListener('abort', () => cancel?.())
  closeSignal.addEventListener('abort', stop)
  // The client may have been closed while this module was loading.
  if (closeSignal.aborted) stop()
  return { reschedule }
}

function watchOtherTabs(
  currentSession: CurrentSession,
  environment: SessionEnvironment,
  awake: () => void,
): () => void {
  const sync = () => void currentSession.sync().catch(() => undefined)
  return environment.watch({
    changed: (key) => key === currentSession.key && sync(),
    awake() {
      sync()
      awake()
    },
  })
}

function createExpiryNotice({
  clock,
  expiring,
}: SchedulerOptions): (session: Session, record: SessionRecord) => void {
  let notifiedTokens: SessionRecord['tokens'] | undefined
  return (session, record) => {
    if (notifiedTokens === record.tokens || clock.now() < expiryNotice(record)) return
    notifiedTokens = record.tokens
    expiring(session)
  }
}

/** ms until the next action; 0 to refresh now. */
function waitFor({ clock, held, environment, canRefresh }: SchedulerOptions, record: SessionRecord): number {
  const now = clock.now()
  const untilNotice = expiryNotice(record) - now
  const upcoming = untilNotice > 0 ? untilNotice : MAX_DELAY
  if (!canRefresh(record)) return upcoming
  // The clock was set back: the token was issued in the future, so its age is unknown.
  const untilDue = now >= record.obtainedAt ? Math.max(0, refreshDueAt(record) - now) : 0
  if (untilDue) return Math.min(untilDue, upcoming)
  if (held()) return Math.min(upcoming, 60_000)
  const { attempt } = record
  const retryAt = nextAttempt(attempt, { now, dead: false, alone: false })
  // A machine that reports no network is believed for a while, after an attempt that failed.
  const restedAt = attempt && now >= attempt.at && !environment.online() ? attempt.at + OFFLINE_DELAY : 0
  const due = Math.max(retryAt, restedAt)
  return due > now ? Math.min(due - now, upcoming) : 0
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** ms in which a request that has timed out may still be processed: network delays. */
const NETWORK_DELAY = 2000
/** ms to wait after a request with an unknown outcome, and after a rejection that such a request may have caused. */
const IN_DOUBT = 30_000
/** Maximum delay in ms that a service may request. */
const MAX_REQUESTED_DELAY = 5 * MINUTE
/** Remaining lifetime in ms below which a token is not used. */
const MIN_REMAINING = 5000

/** Epoch ms from which the session is refreshed under normal conditions: early enough to survive days of failures. */
export function refreshDueAt({ id, obtainedAt, tokens }: SessionRecord): number {
  const lifetime = Math.max(tokens.expiresAt - obtainedAt, 0)
  const fraction = lifetime > 2 * DAY ? lifetime / 2 : lifetime * 0.75
  // Spreads the refreshes of players who signed in at the same time.
  return obtainedAt + fraction * (1 - jitter(id))
}

/** From 0 to 0.1, derived from the session's random id. */
function jitter(id: string): number {
  return ((id.charCodeAt(0) * 31 + id.charCodeAt(1)) % 100) / 1000
}

/** Epoch ms from which the game is notified of the token's end, if it was not refreshed by then. */
export function expiryNotice({ obtainedAt, tokens }: SessionRecord): number {
  return tokens.expiresAt - Math.min(5 * MINUTE, (tokens.expiresAt - obtainedAt) / 10)
}

/** Compares with this machine's clock. After the clock was set back, the token counts as valid. */
export function isExpired({ tokens }: SessionRecord, now: number): boolean {
  return now >= tokens.expiresAt - MIN_REMAINING
}

interface RefreshSituation {
  now: number
  /** True if the access token has expired or was rejected. */
  dead: boolean
  /** True if this tab holds the lock, so that the sender of the last request is gone. */
  alone: boolean
  /** Time-out of the request in ms. Default: `TOKEN_TIMEOUT`. */
  tokenTimeout?: number | undefined
}

/** ms for which a request without a response may still be processed. */
const inFlightTime = (tokenTimeout = TOKEN_TIMEOUT): number => tokenTimeout + NETWORK_DELAY

/** Epoch ms until which nothing is sent; 0 to send now. */
export function nextAttempt(
  attempt: RefreshAttempt | undefined,
  { now, dead, alone, tokenTimeout }: RefreshSituation,
): number {
  if (!attempt) return 0
  const { at, outcome, retryAt } = attempt
  if (outcome !== 'sent') return waitUntil(retryAt, now, MAX_REQUESTED_DELAY)
  const inFlight = inFlightTime(tokenTimeout)
  if (!alone) return waitUntil(at + inFlight, now, inFlight)
  // The sender is gone without storing an outcome. A valid token is used meanwhile; without one there is nothing to lose.
  return dead ? 0 : waitUntil(at + IN_DOUBT, now, IN_DOUBT)
}

/** Caps a wait, which would otherwise grow after the clock was set back. */
function waitUntil(time: number, now: number, maximum: number): number {
  return time > now && time - now <= maximum ? time : 0
}

/** First delay in ms after a response of the service or of its proxy; doubles with each attempt. */
const INITIAL_DELAY = 2000

/** The next attempt, about to be sent. `chance`, from 0 to 1, distinguishes it from another tab's attempt at the same moment. */
export function markSent(attempt: RefreshAttempt | undefined, now: number, chance: number): RefreshAttempt {
  return {
    at: now,
    tries: (attempt?.tries ?? 0) + 1,
    outcome: 'sent',
    retryAt: now + IN_DOUBT + Math.floor(chance * 1000),
  }
}

/** No usable response arrived. `requestedDelay`: set if the service responded, with the wait in ms that it requested. */
export function markLost(
  attempt: RefreshAttempt,
  now: number,
  requestedDelay: number | undefined,
): RefreshAttempt {
  const delay =
    requestedDelay === undefined
      ? IN_DOUBT
      : Math.max(
          Math.min(INITIAL_DELAY * 2 ** (attempt.tries - 1), IN_DOUBT),
          Math.min(requestedDelay, MAX_REQUESTED_DELAY),
        )
  return { ...attempt, outcome: 'lost', retryAt: now + delay }
}

/** Rejected, perhaps because another tab sent the token before and died. If that tab is alive, it stores its response in the meantime. */
export function markInDoubt(attempt: RefreshAttempt, now: number): RefreshAttempt {
  return { ...attempt, outcome: 'refused', retryAt: now + IN_DOUBT }
}

/** `invalid`: the only response that ends a session. `unusable`: any other error response. */
type RefreshVerdict = 'refreshed' | 'invalid' | 'unusable'

export function evaluateResponse({ status, body }: JsonResponse): RefreshVerdict {
  const { error } = body
  if (status === 200 && error === undefined) return 'refreshed'
  return error === 'invalid_grant' && (status === 400 || status === 401) ? 'invalid' : 'unusable'
}

/** Meaning of `invalid_grant`, given the attempt before. */
export function evaluateInvalidGrant(
  previous: RefreshAttempt | undefined,
): 'rejected' | 'doubt' | 'answer_lost' {
  if (!previous) return 'rejected'
  return previous.outcome === 'sent' ? 'doubt' : 'answer_lost'
}

/**
 * The record after a refresh (OpenID Connect Core section 12.2, RFC 6749 section 6). Fields missing from the response stay as they were.
 * @throws ProtocolError `invalid_id_token` if it is for another player, or for an earlier sign-in.
 */
export function applyRefresh(before: SessionRecord, { tokens, obtainedAt }: VerifiedTokens): SessionRecord {
  requireSamePlayer(before, tokens)
  const { epoch, tokens: previous } = before
  const scopes = tokens.scopes.length > 0 ? tokens.scopes : previous.scopes
  // `idToken` and `claims` are always replaced together.
  return {
    ...before,
    epoch: epoch + 1,
    obtainedAt,
    idTokenAt: tokens.idToken ? undefined : (before.idTokenAt ?? before.obtainedAt),
    tokens: { ...previous, ...tokens, scopes },
    attempt: undefined,
  }
}

function requireSamePlayer({ userId, tokens }: SessionRecord, { claims }: TokenSet): void {
  if (!claims) return
  if (claims.sub !== userId) throw differentPlayer('sub')
  const [signedIn, again] = [tokens.claims?.['auth_time'], claims['auth_time']]
  if (typeof signedIn === 'number' && typeof again === 'number' && again !== signedIn)
    throw differentPlayer('auth_time')
}

function differentPlayer(path: string): ProtocolError {
  return new ProtocolError('invalid_id_token', path, { path, expected: 'as before' })
}
