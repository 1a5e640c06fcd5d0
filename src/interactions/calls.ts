/** The port to the service: what an interaction's token alone allows to call (supplement A.5.1). */

export interface InteractionCall {
  method: 'POST' | 'PATCH' | 'DELETE'
  /** Below the API's base URL, beginning with a slash. Holds the token. */
  path: string
  /** As it may stand in an error. */
  route: string
  body?: unknown
  /** ms. */
  timeout: number
}

export interface InteractionCalls {
  /** Gives the decoded body. Rejects with ApiError, NetworkError, ProtocolError. */
  send(call: InteractionCall): Promise<unknown>
}
