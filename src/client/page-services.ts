/** The port to what only a page has and a client cannot know of: what tabs share, and the moment when a tab is left. */
import type { Clock } from '../foundation/clock'
import type { RateLimitStore } from '../rate-limit/shared/store'

export interface PageServices {
  /** A rate budget that all tabs and workers with this name share; undefined where nothing can be shared. */
  openBudget(options: { name: string; clock: Clock }): RateLimitStore | undefined
  /** Calls when the tab is closed, or leaves the page. The result stops listening. */
  onLeave(listener: () => void): () => void
}
