/** The codes of all errors, which are stable: each has an entry in docs/errors.md. */

/** Codes of `RateLimitError`. */
export type RateLimitErrorCode =
  /** The wait would be longer than `maxWait`. */
  | 'rate_limited'
  /** The service refused so many requests that it would soon block this address. */
  | 'too_many_refusals'

/** Codes of `ValidationError`. */
export type ValidationErrorCode = 'invalid_argument' | 'invalid_body'

/** Codes for the service's documented errors; `http_` and the status for all others. */
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
  /** Two accounts are being merged: try again. */
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

/** Reason for a failed verification of a request. The request is rejected with 401. */
export type VerificationReason =
  | 'missing_header'
  | 'malformed_signature'
  | 'malformed_timestamp'
  | 'malformed_body'
  | 'old_timestamp'
  | 'future_timestamp'
  | 'body_too_large'
  /** The body was read before verification: pass the request on unread. */
  | 'body_consumed'
  /** The body's stream failed. */
  | 'body_unreadable'
  | 'bad_signature'
  /** Like `bad_signature`, and the body's length differs from when it was sent: something rewrote it. */
  | 'body_altered'
  | 'replayed'
  /** The store of seen requests failed, so a replay cannot be ruled out. */
  | 'replay_unknown'
  /** The runtime cannot verify Ed25519, or the key is no point on the curve. */
  | 'key_unusable'

/** Codes of `InteractionError`. */
export type InteractionErrorCode =
  | VerificationReason
  /** Correctly signed, but not a valid interaction. */
  | 'malformed_interaction'
  | 'unknown_type'
  | 'unknown_command'
  | 'unknown_route'
  | 'missing_option'
  /** An option or a field of the wrong type, a value outside its choices, or an id without its object. */
  | 'invalid_option'
  /** The handler threw; see `cause`. */
  | 'handler_failed'
  /** The handler returned without a response. */
  | 'no_answer'
  /** The handler took longer than the service waits, and its response cannot be deferred. */
  | 'too_slow'
  /** Only the first response may be of this kind, and one was sent before, perhaps by the automatic deferral. */
  | 'already_answered'
  /** An existing message cannot be shown to others than before. */
  | 'visibility_fixed'
  /** There is no message to update: a command opened the modal. */
  | 'message_missing'
  /** Some suggestions were left out, because the option does not allow them. */
  | 'suggestions_dropped'
  /** The interaction is older than 15 minutes and cannot be answered any more. */
  | 'token_expired'
  /** The response needs a call of the service: give `service` to the handler. */
  | 'service_missing'
  /** The service did not return the id of the Activity's instance. */
  | 'instance_unknown'

/** Every code of every error of the SDK. */
export type ErrorCode =
  | ConfigurationErrorCode
  | AuthorizationErrorCode
  | SessionErrorCode
  | NetworkErrorCode
  | ProtocolErrorCode
  | RateLimitErrorCode
  | ValidationErrorCode
  | ApiErrorCode
  | InteractionErrorCode
  | PlayerTokenErrorCode

/** Codes of `ConfigurationError`. */
export type ConfigurationErrorCode =
  | 'missing_service_host'
  | 'missing_application_id'
  | 'insecure_endpoint'
  | 'invalid_argument'
  | 'unsupported'
  | 'closed'
  /** The callback page is missing, or belongs to another version of the SDK. */
  | 'callback_unavailable'
  /** Electron: a page that `windows` does not list called the client of the main process. */
  | 'untrusted_window'
  /** Other writers keep changing the same record: let one write. */
  | 'contended'
  /** The page does not run in an Activity: its address has no launch parameters, or there is no parent window. */
  | 'no_activity_host'
  /** The canvas shows a picture of another site, so that its pixels cannot be read. */
  | 'tainted_canvas'
  /** Something threw that the SDK does not expect: an argument of the wrong kind, or a platform that lacks something. See `cause`. */
  | 'unexpected'

/** RFC 6749 section 4.1.2.1 and 5.2, and OpenID Connect Core section 3.1.2.6. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'account_selection_required'

/** Codes of `AuthorizationError`. */
export type AuthorizationErrorCode =
  | OAuthErrorCode
  /** The service returned an error that no specification lists; see `serviceError`. */
  | 'authorization_failed'
  /** The browser opened no window: call from the player's click, or use `redirectSurface()`. */
  | 'popup_blocked'
  | 'window_closed'
  /** Electron: the system opened no browser. */
  | 'browser_unavailable'
  | 'aborted'
  | 'timed_out'
  /** Too many sign-in attempts are pending; the oldest was dropped. */
  | 'superseded'
  /** The player came back to the page without a result (the back button). */
  | 'stale'
  /** The callback matches no pending attempt: it was used before, has expired, or was started elsewhere. */
  | 'state_mismatch'
  | 'issuer_mismatch'
  | 'redirect_mismatch'
  | 'malformed_callback'
  | 'response_type_mismatch'
  | 'missing_code'
  /** The service granted more scopes than requested, and the client's `refuseExtraScopes` is set. */
  | 'extra_scopes'
  /** The surface threw; see `cause`. */
  | 'surface_failed'

/** Codes of `SessionError`. */
export type SessionErrorCode =
  | 'signed_out'
  /** The service rejected the refresh token: it was revoked, or is too old. */
  | 'refresh_rejected'
  /** The service rejected the refresh token after a refresh whose response was lost: that refresh had used the token up. */
  | 'refresh_answer_lost'
  /** The service rejected a refresh token that had been used before: the store was reset to an older state. */
  | 'token_rolled_back'
  /** The access token has expired or was rejected, and there is no refresh token. */
  | 'session_expired'
  /** A refresh was sent and its outcome is unknown. Retryable: the session still exists. */
  | 'refresh_in_doubt'
  /**
   * The service issued tokens without an ID token, and does not answer whose they are. Retryable: the client keeps the tokens, and `resume()`
   * continues.
   */
  | 'player_unknown'

/** Codes of `NetworkError`. */
export type NetworkErrorCode =
  | 'offline'
  | 'timed_out'
  | 'aborted'
  | 'connection_failed'
  /** A server answered with a redirect, which is never followed. */
  | 'redirected'
  /** A part of the SDK could not be loaded, most often after a deployment that removed it: reload the page. */
  | 'reload_required'

/** Codes of `ProtocolError`. */
export type ProtocolErrorCode =
  'malformed_response' | 'response_too_large' | 'invalid_id_token' | 'missing_id_token' | 'keys_unavailable'

/** Codes of `PlayerTokenError`: the backend refuses a player's request, with 401 unless stated. */
export type PlayerTokenErrorCode =
  /** The request has no `Authorization: Bearer …` header. */
  | 'missing_player_token'
  /** The request carries a token in its URL, where logs and other pages can read it. */
  | 'token_in_url'
  | 'player_token_expired'
  /** The token is not valid for this application: see `path` and `expected`. */
  | 'player_token_rejected'
  /** The ticket is unknown here: it was used, is older than 30 s, or belongs to another purpose or application. */
  | 'ticket_rejected'
  /** The player is in no such lobby: respond with 403. */
  | 'not_a_member'
