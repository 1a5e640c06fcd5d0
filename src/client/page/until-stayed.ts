/** Detects that the player stays on a page that a sign-in was about to leave: in the page's own dialog, or by the browser's stop button. */
import { AuthorizationError } from '../../shared/foundation/errors'

/**
 * Rejects with `window_closed` if the navigation to this address, which begins next, is cancelled. A browser without the Navigation API
 * (before 2026) does not tell: the sign-in then ends with its deadline.
 */
export function untilStayed(url: string, signal: AbortSignal): Promise<never> {
  const { navigation }: Partial<Pick<Window, 'navigation'>> = window
  return new Promise((_, reject) => {
    const onNavigate = ({ destination, signal: cancelled }: NavigateEvent) => {
      if (destination.url === url)
        cancelled.addEventListener('abort', () => reject(new AuthorizationError('window_closed')))
    }
    navigation?.addEventListener('navigate', onNavigate, { signal })
  })
}
