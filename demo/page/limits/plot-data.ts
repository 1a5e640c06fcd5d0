/** What the plot of a limit draws, from the samples of the last minute. */
import { type Sample, SAMPLE_COUNT } from './limits-meter'

type Line = readonly (number | null)[]

export interface PlotData {
  /** Used slots and waiting calls at each place of the plot; null where there is no sample yet, or where no call waits at all. */
  readonly used: Line
  readonly waiting: Line
  /** Highest value that fits. */
  readonly top: number
}

/** Samples fill the plot from its end. The limit itself always fits. */
export function plotData(samples: readonly Sample[], limit: number): PlotData {
  const before: null[] = Array.from({ length: SAMPLE_COUNT - samples.length }, () => null)
  const isWaiting = samples.some(({ waiting }) => waiting > 0)
  return {
    used: [...before, ...samples.map(({ used }) => used)],
    waiting: [...before, ...samples.map(({ waiting }) => (isWaiting ? waiting : null))],
    top: Math.max(limit, ...samples.flatMap(({ used, waiting }) => [used, waiting])),
  }
}
