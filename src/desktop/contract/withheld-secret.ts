/** Placeholder of a secret that stays in the main process: a page can pass it back, but not read it. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { Secret } from '../../shared/foundation/secret'

/** Placeholder of a token, a code or a verifier. Methods that accept the secret accept it too. */
export class WithheldSecret extends Secret {
  constructor() {
    super('')
  }

  /** @throws ConfigurationError `unsupported`, always: only windows whose `windows` rule allows it receive tokens. */
  override reveal(): never {
    throw new ConfigurationError('unsupported', 'a secret outside the main process')
  }
}
