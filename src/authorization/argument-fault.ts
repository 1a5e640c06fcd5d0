/** The error of a sign-in with unsound arguments. Its texts load when they are needed. */
import { ConfigurationError, type FoyerError } from '../foundation/errors'
import type { ArgumentField } from './validate-args'

/** Where the texts cannot be fetched, the error has the same code and names the same fields. */
export async function argumentFault(fields: readonly ArgumentField[]): Promise<FoyerError> {
  try {
    return (await import('./args-error')).argumentError(fields)
  } catch {
    return new ConfigurationError('invalid_argument', fields.join(' '))
  }
}
