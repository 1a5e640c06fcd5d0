/** Body of an error response of the REST API (docs/interface/errors.md#body). Types only; every field is unchecked until it has been decoded. */

/** Body of an error response. */
export interface ErrorResponse {
  /** The service's own error number; 50035 for a body that breaks a rule. */
  code?: unknown
  /** The service's description of the error. */
  message?: unknown
  /** A tree of field names and array indexes; `_errors` at a place lists the faults of that field. */
  errors?: unknown
}

/** An entry of an `_errors` list. */
export interface ErrorLeaf {
  /** Code of the fault. */
  code?: unknown
  /** Description of the fault. */
  message?: unknown
}
