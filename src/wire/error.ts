/** What a refused API request is answered with (supplement A.6.1). Types only; every field is unchecked until it was looked at. */

export interface ErrorResponse {
  /** The service's own error number; 50035 for a body that breaks a rule. */
  code?: unknown
  message?: unknown
  /** A tree of field names and array indexes; a fault stands in `_errors` at the place it is about. */
  errors?: unknown
}

/** One entry of an `_errors` list. */
export interface ErrorLeaf {
  code?: unknown
  message?: unknown
}
