/** A secret that stayed in the main process: a page may hand it back, and cannot open it. */
import { ConfigurationError } from '../../foundation/errors'
import { Secret } from '../../foundation/secret'

/** Stands where a token, a code or a verifier would. Calls that take the secret itself take this one. */
export class WithheldSecret extends Secret {
  constructor() {
    super('')
  }

  /** @throws ConfigurationError `unsupported`, always: the main process gives tokens only to windows that its `windows` rule allows. */
  override reveal(): never {
    throw new ConfigurationError('unsupported', 'a secret outside the main process')
  }
}
