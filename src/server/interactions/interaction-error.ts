/** Error type for interactions with stable codes. */
import { type ErrorDetails, FoyerError, type InteractionErrorCode } from '../../shared/foundation/errors'

export type { InteractionErrorCode, VerificationReason } from '../../shared/foundation/errors'

const OTHER_DEFINITION =
  'The service has another version of the definition, or the player saw one: sync the commands with each release'

/** Remedies by code, for errors without one of their own. */
const REMEDIES: Readonly<Partial<Record<InteractionErrorCode, string>>> = {
  unknown_route: OTHER_DEFINITION,
  missing_option: OTHER_DEFINITION,
  invalid_option: OTHER_DEFINITION,
  token_expired: 'An interaction can be answered for 15 minutes',
  service_missing: 'Pass service: { host } to createInteractionHandler',
}

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
  constructor(
    code: InteractionErrorCode,
    subject = '',
    { cause, remedy = REMEDIES[code], ...details }: ErrorDetails = {},
  ) {
    super(code, clean(subject), { remedy, ...details })
    if (cause !== undefined) Object.defineProperty(this, 'cause', { value: cause })
  }
}

/** Makes a string safe for one log line. */
const clean = (text: string): string => text.slice(0, 96).replace(/\p{C}/gu, '?')
