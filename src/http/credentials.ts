/** The port through which a request gets its `Authorization` header, wherever tokens are kept. */

export interface Credentials {
  /** The value of the header, for example `Bot …`. */
  header(): Promise<string>
  /** After a 401 to this value: whether `header()` now has another one, so that the request is worth one more try. */
  renew(refused: string): Promise<boolean>
  /** Whose word it is, where a call is for some of them alone. */
  readonly kind?: 'bot' | 'application' | 'user'
}
