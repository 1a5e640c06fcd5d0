/** Surface that approves through the emulator's API: the whole sign-in without a window. */
import type { Emulator } from 'foyer-emulator'
import type { AuthorizationSurface } from 'foyer-sdk'

export interface ConsentChoice {
  as?: string
  deny?: boolean
  redirectUri?: string
}

/** `as` is a user's id or username. Without `redirectUri` the callback goes to the custom scheme. */
export function consentSurface(
  emulator: Emulator,
  { as = 'ada', deny = false, redirectUri }: ConsentChoice = {},
): AuthorizationSurface {
  return {
    ...(redirectUri !== undefined && { redirectUri: () => redirectUri }),
    open: async (url) => (await emulator.authorize(url, { as, deny })).redirect,
  }
}
