/** Schedules refreshes ahead of a token's expiry. Deadlines are checked repeatedly, so that sleep and late timers do no harm. */
import type { Clock } from '../../shared/foundation/clock'
import type { CurrentSession } from './current-session'
import { expiryNotice, nextAttempt, refreshDueAt } from './refresh-policy'
import type { Session } from './session'
import type { SessionRecord } from './session-record'
import type { SessionEnvironment } from './session-environment'

/** Maximum delay of a timer, in ms. */
const MAX_DELAY = 600_000
/** ms after waking up until the network is likely to be available. */
const WAKE_DELAY = 2000
const MIN_DELAY = 1000
/** ms between two attempts while the machine reports that it has no network. */
const OFFLINE_DELAY = 300_000
/** ms after the start of a refresh until the next check. */
const AFTER_REFRESH = 30_000

export interface SchedulerOptions {
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
