/** Everything that can be wrong with an interaction, by one stable code each. */
import { type ErrorDetails, FoyerError, type InteractionErrorCode } from '../foundation/errors'

export type { InteractionErrorCode, VerificationReason } from '../foundation/errors'

/** An interaction that was refused or went wrong. The player has seen a harmless text, or nothing. */
export class InteractionError extends FoyerError<InteractionErrorCode> {
  override readonly name = 'InteractionError'

  /** `subject` may come from a payload. */
  /** `cause` is kept as it is: the game's own handler threw it, and the game's own `onError` gets it. */
  constructor(code: InteractionErrorCode, subject = '', { cause, ...details }: ErrorDetails = {}) {
    super(code, clean(subject), details)
    if (cause !== undefined) Object.defineProperty(this, 'cause', { value: cause })
  }
}

/** Fit for a line of a log. */
const clean = (text: string): string => text.slice(0, 96).replace(/\p{C}/gu, '?')
