/** Creates the error for invalid sign-in arguments. Its messages are loaded on demand. */
import { ConfigurationError, type FoyerError } from '../foundation/errors'
import { loadArgumentError } from './parts'
import type { ArgumentField } from './find-invalid-arguments'

/** If the messages cannot be loaded, the error has the same code and lists the same fields. */
export async function argumentFault(fields: readonly ArgumentField[]): Promise<FoyerError> {
  try {
    return (await loadArgumentError()).argumentError(fields)
  } catch {
    return new ConfigurationError('invalid_argument', fields.join(' '))
  }
}
