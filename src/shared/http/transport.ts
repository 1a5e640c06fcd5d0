/** Port that carries one request to the service and its whole response back: `fetch`, or a faster client in a backend. */

/** Maximum length of a response, in characters: enough for every command that a scope may have. */
export const MAX_BODY = 32 * 1024 * 1024

/** HTTP methods that the SDK uses. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request of the REST client. */
export interface TransportRequest {
  /** HTTP method. */
  readonly method: Method
  /** Full URL. */
  readonly url: string
  /** Route for use in errors, without host or ids: `GET /lobbies/{lobby.id}`. */
  readonly route: string
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON, or multipart as bytes; null for no body. */
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

/** A response of the REST client. */
export interface TransportAnswer {
  /** HTTP status. */
  readonly status: number
  /** Returns a header by its lower-case name; null if it is absent or not readable. */
  readonly header: (name: string) => string | null
  /** The whole body; empty if there was none. */
  readonly text: string
}

/** A running request. */
export interface Transfer {
  /** Rejects if no response arrives. An error with a `code` for a connection that was never made marks the request as safe to retry. */
  readonly answer: Promise<TransportAnswer>
  /** Cancels the request: its result is no longer needed. */
  readonly abort: () => void
}

/**
 * Sends a request once and reads the whole response, whatever its status. Follows no redirects, stores no cookies, reads 32 MiB at most.
 * Never throws.
 */
export type Transport = (request: TransportRequest) => Transfer
