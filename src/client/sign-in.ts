/** Loads everything that a sign-in needs once it has a code: a code is never redeemed before all of it is there. */
import type { AuthorizationResult } from '../authorization/result'
import type { AuthorizationSurface } from '../authorization/surface'
import type { TokenClient } from '../tokens/token-client'
import type { ClientContext } from './context'

type Loaded = [result: AuthorizationResult, exchange: TokenClient]

/** Asks the player while all that follows loads. When that fails, the player is not asked any longer: no consent is spent. */
export async function askWhileLoading(
  context: ClientContext,
  { surface = context.surface, signal }: { surface?: AuthorizationSurface; signal?: AbortSignal },
  ask: (signal: AbortSignal) => Promise<AuthorizationResult>,
): Promise<Loaded> {
  const asking = new AbortController()
  const cancel = () => asking.abort()
  signal?.addEventListener('abort', cancel, { signal: asking.signal })
  if (signal?.aborted) cancel()
  try {
    // `ask` is called before anything is awaited: it is still the player's click.
    const result = ask(asking.signal)
    // A surface that leaves the page cancels what the page loads.
    return surface?.keep ? [await result, await loadExchange(context)] : await Promise.all([result, loadExchange(context)])
  } finally {
    cancel()
  }
}

/** The keys of the service are fetched too, but not waited for: a token can be verified later. */
export async function loadExchange({ exchange, sessions }: ClientContext): Promise<TokenClient> {
  const [redeemer, loaded] = await Promise.all([exchange(), sessions()])
  redeemer.prepare()
  await loaded.prepare()
  return redeemer
}
