/** How well several parties use a limit that they share. */

export interface Use {
  /** The best possible time as a part of the time that it took. */
  readonly efficiency: number
  /** The largest share as a multiple of the smallest, of those that lived to the end. */
  readonly unfairness: number
  readonly refused: number
  /** ms, on the mean of the last requests. */
  readonly time: number
  readonly best: number
}

/**
 * How soon requests were sent, beside how soon they could have been. The mean over as many of the last as fit into a window: by the last
 * one alone, one slot that is missed anywhere costs a whole window or nothing.
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
