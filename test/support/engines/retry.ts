/** Repeats an action until it succeeds: an element may not exist yet, or may vanish with a page that is being left. */
import { setTimeout as wait } from 'node:timers/promises'

/** Maximum wait for an element, a window or a response, in ms. */
export const TIMEOUT = 90_000
const INTERVAL = 50

/** @throws The last error after `TIMEOUT`. */
export async function retry<T>(act: () => Promise<T>, timeout = TIMEOUT): Promise<T> {
  for (const end = Date.now() + timeout; ; await wait(INTERVAL)) {
    try {
      return await act()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}
