/** A caller's signal and a time limit, joined into one signal that leaves nothing behind. */
import type { Clock } from './clock'

export interface Deadline {
  /** Aborts when the caller's signal does or when the time is up. */
  readonly signal: AbortSignal
  /** Whether it was the time that ran out. */
  readonly expired: () => boolean
  /** Removes timer and listener. Call it however the work ended. */
  readonly release: () => void
}

/** Starts a deadline of `ms` milliseconds. (`AbortSignal.any` and `.timeout` are missing where the UMD build must run.) */
export function startDeadline(clock: Clock, ms: number, parent?: AbortSignal): Deadline {
  const controller = new AbortController()
  let expired = false
  const abort = () => controller.abort()
  const cancelTimer = clock.after(ms, () => {
    expired = true
    abort()
  })
  if (parent?.aborted) abort()
  parent?.addEventListener('abort', abort)
  const release = () => {
    cancelTimer()
    parent?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, expired: () => expired, release }
}
