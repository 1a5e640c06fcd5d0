/** Remembers the last requests that reached the emulator, without anything secret in them. */

import type { FaultKind } from '../faults/apply-fault.js'
import type { LimitUse } from '../limits/limits.js'

export interface LoggedRequest {
  method: string
  /** Without the query; one-time path parts are written as `:id`. */
  path: string
  /** 0 when the connection died before the answer had one. */
  status: number
  /** How long the answer took. */
  ms: number
  /** Epoch milliseconds. */
  at: number
  /** The rule that refused, when one did. */
  rule?: string
  /** What was accepted, and should be done otherwise. */
  advice?: string
  /** What a fault did to it; `answer_lost` was processed, and `status` is what nobody got to see. */
  fault?: FaultKind
  /** The limits that it was counted against, and how full they were then. */
  limits?: LimitUse[]
}

const capacity = 1000
const oneTime =
  /^(\/oauth2\/(?:authorize|sign-in)|\/activate|\/api\/v10\/(?:interactions|webhooks)\/\d+)\/[\w-]+(?=$|\/(?:callback|messages)\b)/

export class RequestLog {
  #entries: LoggedRequest[] = []
  readonly #added: ((entry: LoggedRequest) => void) | undefined

  /** `added` gets every request when it is over. */
  constructor(added?: (entry: LoggedRequest) => void) {
    this.#added = added
  }

  add(request: LoggedRequest): void {
    const entry = { ...request, path: request.path.replace(oneTime, '$1/:id') }
    if (this.#entries.length >= capacity) this.#entries.shift()
    this.#entries.push(entry)
    this.#added?.({ ...entry })
  }

  list(): LoggedRequest[] {
    return this.#entries.map((entry) => ({ ...entry }))
  }

  clear(): void {
    this.#entries = []
  }
}
