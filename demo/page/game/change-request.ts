/** Surface that opens a changed authorize URL, and one whose window stays open when the sign-in fails. */
import type { AuthorizationSurface } from 'foyer-sdk'
import { changeUrl, type RequestChange } from './request-changes'

/** Wraps the surface. The SDK does not know of the changes: its checks are those of an unchanged request. */
export function changeRequest(surface: AuthorizationSurface, changes: readonly RequestChange[]): AuthorizationSurface {
  return changes.length === 0 ? surface : { ...surface, open: (url, options) => surface.open(changeUrl(url, changes), options) }
}

/** Window of a failed sign-in, which shows why the service refused it. */
export class LeftWindow {
  #open: AbortController | undefined

  /** Wraps the surface, so that its window closes with a callback, when the tester cancels, or with the next sign-in. */
  leave(surface: AuthorizationSurface, cancelled: AbortSignal): AuthorizationSurface {
    const ended = new AbortController()
    cancelled.addEventListener('abort', () => ended.abort())
    this.#open = ended
    return {
      ...surface,
      open: async (url, options) => {
        const callback = await surface.open(url, { ...options, signal: ended.signal })
        ended.abort()
        return callback
      },
    }
  }

  /** True while a failed sign-in has left its window. */
  get isOpen(): boolean {
    return this.#open?.signal.aborted === false
  }

  close(): void {
    this.#open?.abort()
    this.#open = undefined
  }
}
