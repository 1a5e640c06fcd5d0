/** Loads all code that follows a consent before a code is redeemed. */
import type { AuthorizationResult } from '../authorization/authorization-result'
import { listenToAbort } from '../foundation/listen-to-abort'
import type { AuthorizationSurface } from '../authorization/authorization-surface'
import type { TokenClient } from '../tokens/requests/token-client'
import type { ClientContext } from './context/client-context'

type Loaded = [result: AuthorizationResult, exchange: TokenClient]

/** Shows the authorize page while the code loads. A failed load aborts the authorization, so that no consent is wasted. */
export async function authorizeWhileLoading(
  context: ClientContext,
  { surface = context.surface, signal }: { surface?: AuthorizationSurface | undefined; signal?: AbortSignal | undefined },
  authorize: (signal: AbortSignal) => Promise<AuthorizationResult>,
): Promise<Loaded> {
  const cancellation = new AbortController()
  const cancel = () => cancellation.abort()
  const forget = listenToAbort(signal, cancel)
  try {
    // Called synchronously: a popup needs the player's click.
    const result = authorize(cancellation.signal)
    // Leaving the page would abort the downloads.
    return surface?.keep ? [await result, await loadExchange(context)] : await Promise.all([result, loadExchange(context)])
  } finally {
    forget()
    cancel()
  }
}

/** The signing keys are fetched too, but not awaited: tokens can be verified later. */
export async function loadExchange({ exchange, sessions }: ClientContext): Promise<TokenClient> {
  const [redeemer, loaded] = await Promise.all([exchange(), sessions()])
  redeemer.prepare()
  await loaded.prepare()
  return redeemer
}
