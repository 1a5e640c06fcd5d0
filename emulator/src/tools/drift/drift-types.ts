/** A service's description as the comparison uses it, and what the comparison finds. Types only. */

/** JSON schema of OpenAPI 3.1, unchecked. */
export type Schema = Readonly<Record<string, unknown>>

export interface QueryParameter {
  name: string
  required: boolean
  schema: Schema
}

export interface Body {
  schema: Schema
  /** Pointer of the schema in the description. */
  pointer: string
  form: boolean
  required: boolean
}

export interface Operation {
  /** `POST`. */
  method: string
  /** Below the root of the API, with `{placeholders}`. */
  path: string
  query: QueryParameter[]
  body: Body | undefined
  /** Precondition for success, if the description names one (`x-precondition`). */
  precondition: string | undefined
  /** Permitted callers; undefined if the description does not say. */
  callers: readonly CallerKind[] | undefined
  /** By status, `4XX` and `DEFAULT`. */
  responses: ReadonlyMap<string, DescribedResponse>
}

/** Owner of a request's credential: the bot's token, a player's token, or none. */
export type CallerKind = 'bot' | 'player' | 'nobody'

export interface DescribedResponse {
  /** Pointer of its JSON schema; undefined for a response without a body. */
  schema: string | undefined
  headers: readonly DescribedHeader[]
}

export interface DescribedHeader {
  /** In lower case. */
  name: string
  required: boolean
  /** Pointer of its schema; undefined if it has none. */
  schema: string | undefined
  /** Type of the value, which arrives as a text. */
  type: string | undefined
}

export type DriftKind =
  'operation_not_served' | 'response_invalid' | 'status_not_declared' | 'valid_refused' | 'invalid_accepted'

/** Differences between two responses to the same request. */
export type DifferenceKind =
  'status_differs' | 'error_differs' | 'field_absent' | 'field_unknown' | 'type_differs' | 'header_differs'

/** Whether docs/interface states an operation, assumes it, or does not have it. */
export type Basis = 'stated' | 'assumed' | 'absent'

export interface Drift {
  kind: DriftKind
  /** `POST /lobbies/{lobby_id}`, as the description writes it. */
  operation: string
  /** Place in the body, the query or the response, like `members[0].id`; empty for the whole. */
  at: string
  /** The value that was sent or returned, and the reason why it is a difference. */
  detail: string
  /** The emulator's rule, if it refused. */
  rule: string | undefined
  /** Differences with the same cause are one: the part of the schema, or the rule. */
  cause: string
  basis: Basis
  /** Reason of the decision that accepts it. */
  accepted: string | undefined
}

export interface DriftReport {
  drifts: Drift[]
  /** Operations whose success could not be reached, with the reason: only their existence was compared. */
  unreached: { operation: string; reason: string }[]
  /** Invalid requests that were refused for another reason than their fault, so that nothing is known about it. */
  unjudged: { operation: string; at: string; reason: string }[]
  operations: number
  requests: number
}

/** One request of the comparison. */
export interface Call {
  /** Part of the request that it is about: empty for the whole. */
  at: string
  what: string
  expected: 'success' | 'refusal'
  query: Readonly<Record<string, string>>
  body: unknown
}

/** Response to a call. */
export interface Answer {
  status: number
  body: unknown
  headers: Headers
  rule: string | undefined
}
