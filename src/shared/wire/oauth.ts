/** Responses of the token endpoint and the JWKS endpoint. Types only. */

/** RFC 6749 section 5.1; docs/interface/authorization.md#token-requests. Every field is unchecked until it has been decoded. */
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
