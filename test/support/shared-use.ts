/** Measures how efficiently several parties use a limit that they share. */

export interface Use {
  /** Best possible time as a fraction of the elapsed time. */
  readonly efficiency: number
  /** Largest share as a multiple of the smallest, among the parties that lived to the end. */
  readonly unfairness: number
  readonly refused: number
  /** ms, averaged over the last requests. */
  readonly time: number
  readonly best: number
}

/**
 * Compares the times of the requests with the best possible ones. Averages over the requests of the last window: the last request
 * alone would make one missed slot cost a whole window or nothing.
 */
export function efficiencyOf(
  sentAt: readonly number[],
  { limit, per, delay }: { limit: number; per: number; delay: number },
): Pick<Use, 'efficiency' | 'time' | 'best'> {
  const mean = (valueAt: (index: number) => number) =>
    Array.from({ length: limit }, (_, index) => valueAt(sentAt.length - 1 - index)).reduce((sum, value) => sum + value, 0) / limit
  const time = mean((index) => (sentAt[index] ?? 0) - (sentAt[0] ?? 0)) + delay
  const best = mean((index) => Math.floor(index / limit) * per) + delay
  return { efficiency: best / time, time, best }
}
