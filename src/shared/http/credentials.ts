/** Port that supplies the `Authorization` header of requests. */
import type { Secret } from '../foundation/secret'

/** Credentials of a caller, and the session that they belong to. */
export interface Credentials {
  /** The value of the header, for example `Bot …`. */
  header(): string | Promise<string>
  /** Called after a 401 for this value. Resolves with true if `header()` now returns another value, so that a retry makes sense. */
  renew(refused: string): Promise<boolean>
  /** Kind of the credentials, for calls that only some kinds may make. */
  readonly kind?: 'bot' | 'application' | 'user'
  /** Secret of the application, if these credentials hold it. */
  readonly clientSecret?: Secret | undefined
  /** The player whose limits apply; absent for the application. */
  readonly userId?: string | undefined
  /** Called immediately before a request is sent. @throws SessionError if the session that made the call is over. */
  requireCurrent?(): void
  /** Calls back when that session ends. Returns a function that removes the callback. */
  onEnd?(callback: () => void): () => void
}
