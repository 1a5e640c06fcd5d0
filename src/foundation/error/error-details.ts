/** Optional details of an error. A foreign `cause` is replaced by a sanitized copy (`sanitize.ts`), since it may quote a request. */
export interface ErrorDetails {
  /** Original error, sanitized before it is stored. */
  cause?: unknown
  /** Overrides the default of the class. */
  retryable?: boolean
  /** Remedy in one sentence; overrides the entry in `REMEDIES`. Part of the message only. */
  remedy?: string
  /** For `ApiError` and `AuthorizationError`. */
  emulatorRule?: string | undefined
  /** For `ProtocolError`. */
  path?: string
  /** For `ProtocolError`. */
  expected?: string
  /** For `ProtocolError`. */
  got?: string
  /** For `ProtocolError`. */
  resourceId?: string
}
