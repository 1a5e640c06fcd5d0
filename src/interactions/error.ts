/** Everything that can be wrong with an interaction, by one stable code each. */
import { type ErrorDetails, FoyerError } from '../foundation/errors'

/** Why a request is not believed. It is answered with 401. */
export type VerificationReason =
  | 'missing_header'
  | 'malformed_signature'
  | 'malformed_timestamp'
  | 'malformed_body'
  | 'old_timestamp'
  | 'future_timestamp'
  | 'body_too_large'
  /** Something read the body before: hand over the request untouched. */
  | 'body_consumed'
  /** The stream of the body broke off. */
  | 'body_unreadable'
  | 'bad_signature'
  /** As `bad_signature`, and the body is not as long as it was when it was sent: something rewrote it. */
  | 'body_altered'
  | 'replayed'
  /** The store of what was seen failed, so that nobody can say. */
  | 'replay_unknown'
  /** The runtime cannot verify Ed25519, or the key is no point of the curve. */
  | 'key_unusable'

export type InteractionErrorCode =
  | VerificationReason
  /** Well signed, but not an interaction as the interface describes it. */
  | 'malformed_interaction'
  | 'unknown_type'
  | 'unknown_command'
  | 'unknown_route'
  | 'missing_option'
  /** An option of another type than defined, none of its choices, or an id without its object. */
  | 'invalid_option'
  /** The handler threw; see `cause`. */
  | 'handler_failed'
  /** The handler ended without an answer. */
  | 'no_answer'
  /** The handler took longer than the service waits, and what it does cannot be deferred. */
  | 'too_slow'
  /** Only the first answer may be of this kind, and there has been one; perhaps the automatic deferral. */
  | 'already_answered'
  /** An interaction can be answered for 15 minutes. */
  | 'token_expired'
  /** The answer needs a call of the service: give `service` to the handler. */
  | 'service_missing'
  /** The service did not name the instance of the Activity. */
  | 'instance_unknown'

/** An interaction that was refused or went wrong. The player has seen a harmless text, or nothing. */
export class InteractionError extends FoyerError<InteractionErrorCode> {
  override readonly name = 'InteractionError'

  /** `subject` may come from a payload. */
  constructor(code: InteractionErrorCode, subject = '', details?: ErrorDetails) {
    super(code, clean(subject), details)
  }
}

/** Fit for a line of a log. */
const clean = (text: string): string => text.slice(0, 96).replace(/\p{C}/gu, '?')
