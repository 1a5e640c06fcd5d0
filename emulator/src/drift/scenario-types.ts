/** A scenario that is replayed at two services. Types only. */
import type { DifferenceKind } from './drift-types.js'

/** One request of a scenario. `{application}` and `{lobby}` in the path and the form are replaced by the ids at each service. */
export interface Step {
  /** Place in a report: `reads a lobby that does not exist`. */
  name: string
  method: string
  /** Below the root of the API. */
  path: string
  as: 'application' | 'nobody'
  headers?: Readonly<Record<string, string>>
  json?: unknown
  form?: Readonly<Record<string, string>>
  /** The body depends on the application, so that only the status is compared. */
  statusOnly?: boolean
  /** The id in the response replaces `{lobby}` from now on. */
  createsLobby?: boolean
}

/** Where a scenario is replayed, and as whom. */
export interface Target {
  /** Root of the API: `https://service.example/api/v10`. */
  api: string
  applicationId: string
  botToken: string
  clientSecret: string | undefined
}

/** Response to a step, as far as it is compared. */
export interface StepAnswer {
  status: number
  body: unknown
  headers: Headers
}

/** A part of a response that differs. The difference says nothing about values, except numbers and names of errors. */
export interface Difference {
  kind: DifferenceKind
  /** Field of the body or name of a header; empty for the whole. */
  at: string
  detail: string
}

export interface StepDifference extends Difference {
  /** Name of the step. */
  operation: string
  /** Reason of the decision that accepts it. */
  accepted: string | undefined
}

export interface Comparison {
  differences: StepDifference[]
  /** Steps that could not be compared, with the reason. */
  skipped: { step: string; reason: string }[]
  steps: number
}
