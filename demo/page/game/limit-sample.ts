/** Samples of one limit over the last minute, and what its card draws and says from them. */
import type { RateLimitUsage } from 'foyer-sdk'

/** Interval between two samples, in ms. */
export const SAMPLE_INTERVAL = 250
/** Number of samples in the plot: one minute. */
export const SAMPLE_COUNT = 240

export interface LimitSample {
  used: number
  waiting: number
}

type Line = readonly (number | null)[]

interface PlotData {
  /** Used slots and waiting calls at each place of the plot; null where there is no sample yet, or where no call waits at all. */
  readonly used: Line
  readonly waiting: Line
  /** Highest value that fits. */
  readonly top: number
}

/** Samples fill the plot from its end. The limit itself always fits. */
export function plotData(samples: readonly LimitSample[], limit: number): PlotData {
  const before: null[] = Array.from({ length: SAMPLE_COUNT - samples.length }, () => null)
  const isWaiting = samples.some(({ waiting }) => waiting > 0)
  return {
    used: [...before, ...samples.map(({ used }) => used)],
    waiting: [...before, ...samples.map(({ waiting }) => (isWaiting ? waiting : null))],
    top: Math.max(limit, ...samples.flatMap(({ used, waiting }) => [used, waiting])),
  }
}

/** Formats the time at which the next call can start. After a 429 the service blocks a bucket even while it has free slots. */
export function nextSlot({ free, nextAt }: Pick<RateLimitUsage, 'free' | 'nextAt'>, now: number): string {
  if (nextAt !== null && nextAt > now) return `in ${((nextAt - now) / 1000).toFixed(1)} s`
  return free > 0 ? 'now' : 'after a response'
}
