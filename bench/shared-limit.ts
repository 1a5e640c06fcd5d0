/** Table row for a limit that several clients share. */
import type { Use } from '../test/support/shared-use'
import type { Result } from './measure'

/** Fraction of the best possible time. */
const TARGET = 0.94

export function sharedLimit(
  who: string,
  where: string,
  { efficiency, unfairness, refused, time, best }: Use,
): Result {
  return {
    bench: `${who}, of the best possible time`,
    where,
    ours: time,
    peer: best,
    unit: 'ms',
    ratio: efficiency,
    target: `>= ${TARGET} times, ${refused} of 0 refused, shares ${unfairness.toFixed(2)} of 2 times`,
    passed: efficiency >= TARGET && refused === 0 && unfairness <= 2,
  }
}
