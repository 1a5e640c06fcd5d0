/** What the token endpoint and the key endpoint send, as it stands on the wire. Types only. */

/** RFC 6749 section 5.1; supplement A.4.5. Every field is unchecked until a decoder has looked at it. */
export interface TokenResponse {
  access_token?: unknown
  token_type?: unknown
  expires_in?: unknown
  refresh_token?: unknown
  scope?: unknown
  id_token?: unknown
}

/** RFC 7517 section 5. */
export interface KeySetResponse {
  keys?: unknown
}
