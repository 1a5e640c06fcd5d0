/** Checks the client secret of a request about accounts: an application that is no Public Client sends it each time. */
import type { EmulatorContext } from '../context/emulator-context.js'
import { sameSecret } from '../foundation/credentials.js'
import { accountError } from './account-error.js'

const MISSING = 'the switch "Public Client" of the application is off (seed: application.publicClient): send its secret from a backend'

/** @throws ApiError 530007. */
export function checkSecret({ seed, credentials }: EmulatorContext, secret: string | undefined): void {
  if (secret === undefined && !seed.application.publicClient) throw accountError(530_007, MISSING)
  if (secret !== undefined && !sameSecret(secret, credentials.clientSecret)) throw accountError(530_007)
}
