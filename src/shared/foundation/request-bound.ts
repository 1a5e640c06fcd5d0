/** Runtimes in which timers and promises belong to the request that made them, and end with it: Cloudflare Workers. */
import type { Clock } from './clock'

/** ms between two looks at what another request may have settled. */
const LOOK = 20

/** True where a request that waits for another one's promise alone is ended by the runtime, or waits for ever. */
export function isRequestBound({ navigator }: { navigator?: { userAgent?: unknown } } = globalThis): boolean {
  return navigator?.userAgent === 'Cloudflare-Workers'
}

/**
 * Waits with timers of its own for a promise that another request may settle. `wake` does what is due: the timer for it may have ended with
 * the request that started it. Elsewhere, the promise itself is returned.
 */
export function waitInRequest<T>(clock: Clock, shared: Promise<T>, wake: () => void): Promise<T> {
  return isRequestBound() ? look(clock, shared, wake) : shared
}

async function look<T>(clock: Clock, shared: Promise<T>, wake: () => void): Promise<T> {
  const state = { isSettled: false }
  const settle = () => void (state.isSettled = true)
  shared.then(settle, settle)
  while (!state.isSettled) {
    await new Promise<void>((resolve) => void clock.after(LOOK, resolve))
    wake()
  }
  return shared
}
