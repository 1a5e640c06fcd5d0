/** Renews a session before it must be: deadlines that are looked at again and again, so that sleep and slow timers do no harm. */
import type { Clock } from '../../foundation/clock'
import type { CurrentSession } from './current-session'
import type { Refresh } from './refresh'
import { expiryNotice, nextAttempt, refreshDueAt } from './refresh-policy'
import type { Session } from './session'
import type { SessionRecord } from './record'
import type { SessionEnvironment } from './environment'

/** The longest that is slept at once, in ms. */
const LONGEST_SLEEP = 600_000
/** ms after waking up until the network is likely to be there. */
const WAKING = 2000
const SHORTEST_SLEEP = 1000
/** ms after a renewal was begun until it is looked at whether another is needed. */
const AFTER_REFRESH = 30_000

export interface SchedulerOptions {
  currentSession: CurrentSession
  environment: SessionEnvironment
  /** With a timer that keeps no process alive. */
  clock: Clock
  refresh: Refresh
  /** Whether the game wants no renewal now. */
  held: () => boolean
  expiring: (session: Session) => void
  closeSignal: AbortSignal
}

export interface RefreshScheduler {
  /** Looks at the deadlines anew: the session is another now, or a hold was released. */
  reschedule(): void
}

export function startRefreshScheduler(options: SchedulerOptions): RefreshScheduler {
  const { currentSession, environment, clock, closeSignal } = options
  const notice = noticeOnce(options)
  let cancel: (() => void) | undefined
  const sleep = (ms: number) => {
    cancel?.()
    if (!closeSignal.aborted) cancel = clock.after(Math.min(Math.max(ms, SHORTEST_SLEEP), LONGEST_SLEEP), reschedule)
  }
  const reschedule = () => {
    const { record, session } = currentSession
    if (!record || !session) return cancel?.()
    const wait = waitFor(options, record)
    if (wait > 0) notice(session, record)
    // A background renewal fails in silence: whoever needs the token will hear of it.
    else void options.refresh({ dead: false }).catch(() => undefined)
    sleep(wait || AFTER_REFRESH)
  }
  const stop = followOthers(currentSession, environment, () => sleep(WAKING))
  closeSignal.addEventListener('abort', () => cancel?.())
  closeSignal.addEventListener('abort', stop)
  // The client may have been closed while this part was loading.
  if (closeSignal.aborted) stop()
  return { reschedule }
}

function followOthers(currentSession: CurrentSession, environment: SessionEnvironment, awake: () => void): () => void {
  const follow = () => void currentSession.sync().catch(() => undefined)
  return environment.watch({
    changed: (key) => key === currentSession.key && follow(),
    awake() {
      follow()
      awake()
    },
  })
}

function noticeOnce({ clock, expiring }: SchedulerOptions): (session: Session, record: SessionRecord) => void {
  let noticed: SessionRecord['tokens'] | undefined
  return (session, record) => {
    if (noticed === record.tokens || clock.now() < expiryNotice(record)) return
    noticed = record.tokens
    expiring(session)
  }
}

/** ms until there is something to do; 0 to renew now. */
function waitFor({ clock, held, environment }: SchedulerOptions, record: SessionRecord): number {
  const now = clock.now()
  const untilNotice = expiryNotice(record) - now
  const upcoming = untilNotice > 0 ? untilNotice : LONGEST_SLEEP
  if (!record.tokens.refreshToken) return upcoming
  const due = refreshDueAt(record)
  // A clock that was set back: the token is of tomorrow, so its age is unknown.
  if (now < due && now >= record.obtainedAt) return Math.min(due - now, upcoming)
  if (held() || !environment.online()) return Math.min(upcoming, 60_000)
  const again = nextAttempt(record.attempt, { now, dead: false, alone: false })
  return again && Math.min(again - now, upcoming)
}
