/** Renews a session before it must be: deadlines that are looked at again and again, so that sleep and slow timers do no harm. */
import type { Clock } from '../foundation/clock'
import type { SessionKeeper } from './keeper'
import type { Renew } from './renewal'
import { expiryNotice, nextAttempt, renewalDue } from './renewal-plan'
import type { Session } from './session'
import type { SessionRecord } from './session-record'
import type { Surroundings } from './surroundings'

/** The longest that is slept at once, in ms. */
const LONGEST_SLEEP = 600_000
/** ms after waking up until the network is likely to be there. */
const WAKING = 2000
const SHORTEST_SLEEP = 1000
/** ms after a renewal was begun until it is looked at whether another is needed. */
const AFTER_RENEWAL = 30_000

export interface WatchOptions {
  keeper: SessionKeeper
  surroundings: Surroundings
  /** With a timer that keeps no process alive. */
  clock: Clock
  renew: Renew
  /** Whether the game wants no renewal now. */
  held: () => boolean
  expiring: (session: Session) => void
  life: AbortSignal
}

export interface RenewalWatch {
  /** Looks at the deadlines anew: the session is another now, or a hold was released. */
  look(): void
}

export function watchRenewal(options: WatchOptions): RenewalWatch {
  const { keeper, surroundings, clock, life } = options
  const notice = noticeOnce(options)
  let cancel: (() => void) | undefined
  const sleep = (ms: number) => {
    cancel?.()
    if (!life.aborted) cancel = clock.after(Math.min(Math.max(ms, SHORTEST_SLEEP), LONGEST_SLEEP), look)
  }
  const look = () => {
    const { record, session } = keeper
    if (!record || !session) return cancel?.()
    const wait = waitFor(options, record)
    if (wait > 0) notice(session, record)
    // A background renewal fails in silence: whoever needs the token will hear of it.
    else void options.renew({ dead: false }).catch(() => undefined)
    sleep(wait || AFTER_RENEWAL)
  }
  const stop = followOthers(keeper, surroundings, () => sleep(WAKING))
  life.addEventListener('abort', () => cancel?.())
  life.addEventListener('abort', stop)
  // The client may have been closed while this part was loading.
  if (life.aborted) stop()
  return { look }
}

function followOthers(keeper: SessionKeeper, surroundings: Surroundings, awake: () => void): () => void {
  const follow = () => void keeper.sync().catch(() => undefined)
  return surroundings.watch({
    changed: (key) => key === keeper.key && follow(),
    awake() {
      follow()
      awake()
    },
  })
}

function noticeOnce({ clock, expiring }: WatchOptions): (session: Session, record: SessionRecord) => void {
  let noticed: SessionRecord['tokens'] | undefined
  return (session, record) => {
    if (noticed === record.tokens || clock.now() < expiryNotice(record)) return
    noticed = record.tokens
    expiring(session)
  }
}

/** ms until there is something to do; 0 to renew now. */
function waitFor({ clock, held, surroundings }: WatchOptions, record: SessionRecord): number {
  const now = clock.now()
  const untilNotice = expiryNotice(record) - now
  const upcoming = untilNotice > 0 ? untilNotice : LONGEST_SLEEP
  if (!record.tokens.refreshToken) return upcoming
  const due = renewalDue(record)
  // A clock that was set back: the token is of tomorrow, so its age is unknown.
  if (now < due && now >= record.obtainedAt) return Math.min(due - now, upcoming)
  if (held() || !surroundings.online()) return Math.min(upcoming, 60_000)
  const again = nextAttempt(record.attempt, { now, dead: false, alone: false })
  return again && Math.min(again - now, upcoming)
}
