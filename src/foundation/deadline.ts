/** Signals and a time limit, joined into one signal that leaves nothing behind. */
import type { Clock } from './clock'

export interface Deadline {
  /** Aborts when one of the signals does or when the time is up. */
  readonly signal: AbortSignal
  /** Whether it was the time that ran out. */
  readonly expired: () => boolean
  /** Removes timer and listeners. Call it however the work ended. */
  readonly release: () => void
}

/** Starts a deadline of `ms` milliseconds. (`AbortSignal.any` and `.timeout` are missing where the UMD build must run.) */
export function startDeadline(clock: Clock, ms: number, parents: readonly (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController()
  let expired = false
  const abort = () => controller.abort()
  const cancelTimer = clock.after(ms, () => {
    expired = true
    abort()
  })
  for (const parent of parents) {
    if (parent?.aborted) abort()
    parent?.addEventListener('abort', abort)
  }
  const release = () => {
    cancelTimer()
    for (const parent of parents) parent?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, expired: () => expired, release }
}
