/** The last step of a sign-in: whose the tokens are. Tokens of a consent that is spent are kept until that is known. */
import type { IdentifiedTokens } from '../tokens/requests/identify-player'
import type { VerifiedTokens } from '../tokens/requests/token-response-reader'
import { type FoyerError, ProtocolError } from '../foundation/errors'
import type { ClientContext } from './context/client-context'

/**
 * @throws SessionError `player_unknown` (retryable): the client keeps the tokens, and `resume()` continues.
 * @throws ProtocolError `missing_id_token` if the game requires one.
 */
export async function identifySignIn(context: ClientContext, verified: VerifiedTokens, signal?: AbortSignal): Promise<IdentifiedTokens> {
  const { identify } = await context.exchange()
  if (context.requireIdToken && !verified.tokens.claims) throw new ProtocolError('missing_id_token')
  // Kept before the request: a sign-out meanwhile drops them.
  context.unidentified = verified
  const forget = () => {
    if (context.unidentified === verified) context.unidentified = undefined
  }
  return identify(verified, signal).then(
    (identified) => {
      forget()
      return identified
    },
    (error: FoyerError) => {
      if (!error.retryable) forget()
      throw error
    },
  )
}
