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
    Array.from({ length: limit }, (_, index) => valueAt(sentAt.length - 1 - index)).reduce(
      (sum, value) => sum + value,
      0,
    ) / limit
  const time = mean((index) => (sentAt[index] ?? 0) - (sentAt[0] ?? 0)) + delay
  const best = mean((index) => Math.floor(index / limit) * per) + delay
  return { efficiency: best / time, time, best }
}

/**
 * Requests at the end as a fraction of the limit: the average of all intervals of `span` ms that end in the last window. Requests start in
 * bursts, one a window, so the count of a single interval depends on whether a burst lies just before or just after its edge.
 */
export function finalShare(
  sentAt: readonly number[],
  { limit, per, end, span }: { limit: number; per: number; end: number; span: number },
): number {
  // The fraction of these intervals that contain a request: those that end between `at` and `at + span`.
  const weightOf = (at: number) => Math.max(0, Math.min(end, at + span) - Math.max(end - per, at)) / per
  return sentAt.reduce((sum, at) => sum + weightOf(at), 0) / ((limit * span) / per)
}
