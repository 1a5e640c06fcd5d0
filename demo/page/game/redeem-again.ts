/** Experiments that use a callback twice: by the game itself, and by an attacker. */
import { AuthorizationResult, Client, FoyerError } from 'foyer-sdk'
import type { FinishedSignIn } from './sign-in'

export interface ExperimentResult {
  /** True if the outcome is the expected one. */
  isExpected: boolean
  text: string
}

/** Redeems the same result again, as a page does that runs its start-up code twice. */
export async function redeemAgain({ client, result, verifier }: FinishedSignIn): Promise<ExperimentResult> {
  const before = client.session?.tokens ?? (await client.getToken(result, verifier))
  const tokens = await client.getToken(result, verifier)
  return tokens.accessToken.reveal() === before.accessToken.reveal()
    ? { isExpected: true, text: 'The same tokens came back, and no request was sent.' }
    : { isExpected: false, text: 'Other tokens came back: the code was redeemed twice.' }
}

/** Handles the same callback URL again, as with the back button. */
export async function deliverAgain({ client, result, callbackUrl }: FinishedSignIn): Promise<ExperimentResult> {
  try {
    const again = await client.handleCallback(callbackUrl)
    return again === result
      ? { isExpected: true, text: 'The same result came back: one callback, one sign-in.' }
      : { isExpected: false, text: 'Another result came back: one callback caused two sign-ins.' }
  } catch (error) {
    return expectRefusal(error, 'state_mismatch', 'The attempt of this callback is over, so no new one starts.')
  }
}

/** Redeems the code without the verifier, as an attacker would, with a separate client. */
export async function stealCode({ options, result }: FinishedSignIn): Promise<ExperimentResult> {
  const attacker = new Client(options)
  try {
    const stolen = AuthorizationResult.fromTrustedCode(result.code, result.redirectUri ?? '')
    await attacker.getToken(stolen, attacker.createAuthorizationCodeVerifier().verifier)
    return { isExpected: false, text: 'The service issued tokens for a used code, which it must not.' }
  } catch (error) {
    return expectRefusal(error, 'invalid_grant', 'The attacker has the code but not the verifier, and gets no tokens.')
  } finally {
    attacker.close()
  }
}

/** Converts the expected error to a finding. Rethrows any other error. */
function expectRefusal(error: unknown, code: string, why: string): ExperimentResult {
  if (error instanceof FoyerError && error.code === code) return { isExpected: true, text: `Refused: ${code}. ${why}` }
  throw error
}
