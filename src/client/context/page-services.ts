/** Port for services that exist only in a page: shared rate limits and the end of a tab. */
import type { Clock } from '../../shared/foundation/clock'
import type { RateLimitStore } from '../../shared/rate-limit/store-port'

export interface PageServices {
  /** Opens a rate-limit store shared by all tabs and workers with this name; undefined where storage is unavailable. */
  openRateLimitStore(options: { name: string; clock: Clock }): RateLimitStore | undefined
  /** Calls `listener` when the tab is closed or left. Returns an unsubscribe function. */
  onPageHide(listener: () => void): () => void
  /** The beginning of a link to the page that ends with the secret of an invitation. Undefined for a page that no link opens. */
  inviteAddress(): string | undefined
}
