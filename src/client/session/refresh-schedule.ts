/** Decides when a session is refreshed, ahead of its end. Deadlines are checked repeatedly, so that sleep and late timers do no harm. */
import type { Clock } from '../../shared/foundation/clock'
import { TOKEN_TIMEOUT } from '../../shared/service/service-config'
import type { CurrentSession, SessionEnvironment } from './current-session'
import type { RefreshAttempt, Session, SessionRecord } from './session'

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
export const IN_DOUBT = 30_000
/** Maximum delay in ms that a service may request. */
export const MAX_REQUESTED_DELAY = 5 * MINUTE
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
export const inFlightTime = (tokenTimeout = TOKEN_TIMEOUT): number => tokenTimeout + NETWORK_DELAY

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
