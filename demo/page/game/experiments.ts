/** What happens when an answer is used twice: by the game itself, and by somebody who stole it. */
import { AuthorizationResult, Client, FoyerError } from 'foyer-sdk'
import type { Answered } from './sign-in'

export interface Finding {
  /** Whether it ended as it should. */
  isRight: boolean
  words: string
}

/** The game asks again for what it already has, as a page does that runs its start-up code twice. */
export async function redeemAgain({ client, result, verifier }: Answered): Promise<Finding> {
  const before = client.session?.tokens ?? (await client.getToken(result, verifier))
  const tokens = await client.getToken(result, verifier)
  return tokens.accessToken.reveal() === before.accessToken.reveal()
    ? { isRight: true, words: 'The same tokens came back, and no request was sent.' }
    : { isRight: false, words: 'Other tokens came back: the code was redeemed twice.' }
}

/** The callback URL is loaded a second time, as with the back button. */
export async function deliverAgain({ client, result, callbackUrl }: Answered): Promise<Finding> {
  try {
    const again = await client.handleCallback(callbackUrl)
    return again === result
      ? { isRight: true, words: 'The same result came back: one answer, one sign-in.' }
      : { isRight: false, words: 'Another result came back: one answer made two sign-ins.' }
  } catch (error) {
    return refused(error, 'state_mismatch', 'The attempt that it answers is over, so nothing begins.')
  }
}

/** Somebody who has the code but not the verifier tries to redeem it, with a client of their own. */
export async function stealCode({ options, result }: Answered): Promise<Finding> {
  const thief = new Client(options)
  try {
    const stolen = AuthorizationResult.fromTrustedCode(result.code, result.redirectUri ?? '')
    await thief.getToken(stolen, thief.createAuthorizationCodeVerifier().verifier)
    return { isRight: false, words: 'The service gave out tokens for a used code: it should not.' }
  } catch (error) {
    return refused(error, 'invalid_grant', 'The thief has the code but not the verifier, and gets nothing.')
  } finally {
    thief.close()
  }
}

/** A refusal that is the right end of an experiment. */
function refused(error: unknown, code: string, why: string): Finding {
  if (error instanceof FoyerError && error.code === code) return { isRight: true, words: `Refused: ${code}. ${why}` }
  throw error
}
