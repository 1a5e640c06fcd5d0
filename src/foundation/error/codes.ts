/** The codes of the errors that have a file of their own, and of those that the service names. */

export type RateLimitErrorCode =
  /** The wait would be longer than `maxWait`. */
  | 'rate_limited'
  /** The service refused so many requests that it would soon block this address. */
  | 'too_many_refusals'

export type ValidationErrorCode = 'invalid_argument' | 'invalid_body'

/** A name for what is known of a refusal, and `http_` with the status for the rest. */
export type ApiErrorCode =
  | `http_${number}`
  | 'unknown_application'
  | 'unknown_channel'
  | 'unknown_guild'
  | 'unknown_user'
  | 'unknown_lobby'
  | 'unknown_command'
  | 'unknown_command_permissions'
  | 'user_required'
  | 'application_not_authorized'
  | 'too_many_commands'
  | 'daily_creates_used_up'
  | 'unauthorized'
  | 'name_taken'
  | 'missing_access'
  | 'empty_message'
  | 'missing_permission'
  | 'wrong_channel_type'
  | 'invalid_token'
  | 'missing_scope'
  | 'invalid_body'
  | 'account_provisional'
  | 'entry_point_dropped'
  | 'provisional_accounts_disabled'
  | 'external_token_expired'
  | 'external_issuer_mismatch'
  | 'external_audience_mismatch'
  | 'external_token_too_old'
  | 'username_not_generated'
  | 'wrong_client_secret'
  | 'external_configuration_missing'
  | 'external_keys_missing'
  | 'account_not_provisional'
  | 'source_not_provisional'
  | 'destination_provisional'
  | 'source_banned'
  | 'invalid_external_token'
  | 'identity_already_attached'
  | 'external_key_id_missing'
  /** Two accounts are becoming one: try again. */
  | 'account_locked'
  /** A player cannot leave a lobby that the game's backend made. */
  | 'made_by_server'
  | ActivityErrorCode

/** The host window of an Activity refused a command, or closed the Activity. */
export type ActivityErrorCode =
  | 'invalid_token'
  | 'invalid_payload'
  | 'invalid_command'
  | 'invalid_guild'
  | 'invalid_event'
  | 'invalid_channel'
  | 'invalid_permissions'
  | 'invalid_client_id'
  | 'invalid_origin'
  | 'invalid_user'
  | 'oauth_error'
  | 'rate_limited'
  | 'token_revoked'
  | 'invalid_version'
  | 'invalid_encoding'
  | 'host_error'
  | 'activity_closed'

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
