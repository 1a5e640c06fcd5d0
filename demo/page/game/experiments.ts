/** What happens when an answer is used twice: by the game itself, and by somebody who stole it. */
import { AuthorizationResult } from 'foyer-sdk'
import type { Answered } from './sign-in'

/** The game asks again for what it already has, as a page does that runs its start-up code twice. */
export async function redeemAgain({ client, result, verifier }: Answered): Promise<string> {
  const before = client.session?.tokens ?? (await client.getToken(result, verifier))
  const tokens = await client.getToken(result, verifier)
  return tokens.accessToken.reveal() === before.accessToken.reveal()
    ? 'The same tokens came back, and no request was sent.'
    : 'Other tokens came back.'
}

/** The callback URL is loaded a second time, as with the back button. */
export async function deliverAgain({ client, result, callbackUrl }: Answered): Promise<string> {
  const again = await client.handleCallback(callbackUrl)
  return again === result ? 'The same result came back: one answer, one sign-in.' : 'Another result came back.'
}

/** Somebody who has the code but not the verifier tries to redeem it. */
export async function stealCode({ client, result }: Answered): Promise<string> {
  const stolen = AuthorizationResult.fromTrustedCode(result.code, result.redirectUri ?? '')
  await client.getToken(stolen, client.createAuthorizationCodeVerifier().verifier)
  return 'The service gave out tokens for a used code: it should not.'
}
