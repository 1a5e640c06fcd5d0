/** Error type for interactions with stable codes. */
import { type ErrorDetails, FoyerError, type InteractionErrorCode } from '../../shared/foundation/errors'

export type { InteractionErrorCode, VerificationReason } from '../../shared/foundation/errors'

/** An interaction was refused or its handler failed. The player saw a generic message or nothing. */
export class InteractionError extends FoyerError<InteractionErrorCode> {
  /** Name of the class. */
  static override get kind(): string {
    return 'InteractionError'
  }

  /** Name of the class, also after minification. */
  override readonly name = 'InteractionError'

  /**
   * `subject` may come from a payload. `cause` stays unmodified: the game's own handler threw it, and the game's `onError` receives it.
   */
  constructor(code: InteractionErrorCode, subject = '', { cause, ...details }: ErrorDetails = {}) {
    super(code, clean(subject), details)
    if (cause !== undefined) Object.defineProperty(this, 'cause', { value: cause })
  }
}

/** Makes a string safe for one log line. */
const clean = (text: string): string => text.slice(0, 96).replace(/\p{C}/gu, '?')
