/** Share of the reads that players may cause with reports that show nothing, in all processes together. */
import { afterUnref, type Clock } from '../../shared/foundation/clock'
import type { LobbyBroker } from './lobby-broker'
import type { ReadPriority } from './lobby-reads'

/** Reports that showed nothing, from which on a player's further ones have to share. */
const FREE = 2
/** Such reports from which on the player's further ones are ignored. */
const LAST = 20
/** ms for which they are counted. */
const MEMORY = 600_000
/** What a report that showed a change makes good. */
const CREDIT = 2
/** Reads in a second for the reports of all those players: a tenth of the documented limit of `get_lobby`. */
const SHARE = 5
const SECOND = 1000
/** Reports of one process that wait for a share. */
const MAX_WAITING = 100

export interface ReportTrustOptions {
  readonly clock: Clock
  readonly broker: Pick<LobbyBroker, 'increment'>
}

interface Record {
  idle: number
  /** Whether a report has shown a change. */
  isProven: boolean
  /** Epoch ms. */
  readonly until: number
}

/**
 * An honest report shows a change, which the service limits. A report of a lobby that does not exist, or in which nothing has changed, shows
 * none: the same accounts may go on, but only with a small share of the reads.
 */
export class ReportTrust {
  readonly #options: ReportTrustOptions
  readonly #records = new Map<string, Record>()
  #waiting = 0
  /** Reads of the current second while the broker is unavailable. */
  #local = { second: 0, count: 0 }

  constructor(options: ReportTrustOptions) {
    this.#options = options
  }

  /** Resolves with true as soon as a report of this player may cause a read; with false if it must not. */
  async permit(playerId: string): Promise<boolean> {
    const { idle } = this.#recordOf(playerId)
    if (idle < FREE) return true
    if (idle >= LAST || this.#waiting >= MAX_WAITING) return false
    this.#waiting += 1
    try {
      while (!(await this.#takeShare())) await this.#nextSecond()
      return true
    } finally {
      this.#waiting -= 1
    }
  }

  /** Reports of players who have shown nothing yet do not delay those of the others, or the bot's calls. */
  priorityOf(playerId: string): ReadPriority {
    const { idle, isProven } = this.#recordOf(playerId)
    return isProven && idle < FREE ? 'normal' : 'low'
  }

  /** Counts the result of a report: whether it showed a change. */
  async count(playerId: string, { isUseful }: { isUseful: boolean }): Promise<void> {
    const record = this.#recordOf(playerId)
    this.#records.set(playerId, record)
    record.isProven ||= isUseful
    if (isUseful && record.idle === 0) return
    const change = isUseful ? -Math.min(CREDIT, record.idle) : 1
    record.idle += change
    // The sum of all processes.
    const all = await this.#options.broker
      .increment(`idle:${playerId}`, change, MEMORY)
      .catch(() => record.idle)
    record.idle = Math.max(record.idle, all)
  }

  sweep(): void {
    const now = this.#options.clock.now()
    for (const [id, { until }] of this.#records) if (until <= now) this.#records.delete(id)
  }

  #recordOf(playerId: string): Record {
    const now = this.#options.clock.now()
    const known = this.#records.get(playerId)
    return known && known.until > now ? known : { idle: 0, isProven: false, until: now + MEMORY }
  }

  async #takeShare(): Promise<boolean> {
    const second = Math.floor(this.#options.clock.now() / SECOND)
    const count = () => {
      this.#local = { second, count: this.#local.second === second ? this.#local.count + 1 : 1 }
      return this.#local.count
    }
    return (await this.#options.broker.increment(`share:${second}`, 1, 5 * SECOND).catch(count)) <= SHARE
  }

  /** Not all at once, so that the same ones do not always come first. */
  #nextSecond(): Promise<void> {
    const { clock } = this.#options
    const wait = SECOND - (clock.now() % SECOND) + Math.random() * (SECOND / 2)
    return new Promise((resolve) => void afterUnref(clock, wait, resolve))
  }
}
