/** Optional details of an error. A foreign `cause` is replaced by a sanitized copy, since it may quote a request. */
export interface ErrorDetails {
  /** Original error, sanitized before it is stored. */
  cause?: unknown
  /** Overrides the default of the class. */
  retryable?: boolean | undefined
  /** Remedy in one sentence; overrides the entry in `REMEDIES`. Part of the message only. */
  remedy?: string | undefined
  /** For `ApiError` and `AuthorizationError`. */
  emulatorRule?: string | undefined
  /** For `ProtocolError`. */
  path?: string | undefined
  /** For `ProtocolError`. */
  expected?: string | undefined
  /** For `ProtocolError`. */
  got?: string | undefined
  /** For `ProtocolError`. */
  resourceId?: string | undefined
}
