/** Detects that a popup shows another page at the redirect URI. */
import type { Clock } from '../../shared/foundation/clock'
import type { FoyerError } from '../../shared/foundation/errors'
import { arrivalFault, TAG } from './popup-check'

/** ms between two looks: a callback page of the game's own may just have replaced its content. */
const PAUSE = 500

/** Resolves with the fault although requests of the file return the right page: a service worker may answer navigations with the game. */
export async function findShownFault(
  popup: Window,
  { url, clock }: { url: string; clock: Clock },
): Promise<FoyerError | undefined> {
  const redirectUri = new URL(url).searchParams.get('redirect_uri') ?? ''
  if (!showsOtherPage(popup, redirectUri)) return undefined
  await new Promise<void>((resolve) => void clock.after(PAUSE, resolve))
  if (!showsOtherPage(popup, redirectUri)) return undefined
  return arrivalFault(
    redirectUri,
    'shows another page in the window: keep service workers (navigateFallback) away from it, with its query',
  )
}

/** Pages of other origins cannot be read, nor can a closed window. */
function showsOtherPage(popup: Window, redirectUri: string): boolean {
  try {
    const { location: shown, document: page } = popup
    const isThere = page.readyState === 'complete' && shown.origin + shown.pathname === redirectUri
    return isThere && !TAG.test(new XMLSerializer().serializeToString(page))
  } catch {
    return false
  }
}
