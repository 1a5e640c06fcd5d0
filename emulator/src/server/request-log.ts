/** Log of the last requests, without secrets. */

import type { FaultKind } from '../faults/apply-fault.js'
import type { LimitUse } from '../limits/limits.js'

export interface LoggedRequest {
  method: string
  /** Path without the query; one-time segments are replaced by `:id`. */
  path: string
  /** 0 if the connection closed before the response had a status. */
  status: number
  /** Duration in milliseconds. */
  ms: number
  /** Epoch milliseconds. */
  at: number
  /** User name of the player whose token the request carried. */
  player?: string
  /** True for the emulator's own pages: their files, pictures and calls. */
  ownPage?: boolean
  /** Rule that refused the request, if any. */
  rule?: string
  /** Advice on an accepted request. */
  advice?: string
  /** Kind of the fault that was applied. With `answer_lost` the request was processed, and `status` did not reach the client. */
  fault?: FaultKind
  /** Limits that it was counted against, with their usage at that time. */
  limits?: LimitUse[]
}

const CAPACITY = 1000
const ONE_TIME =
  /^(\/oauth2\/(?:authorize|sign-in)|\/activate|\/api\/v10\/(?:interactions|webhooks)\/\d+)\/[\w-]+(?=$|\/(?:callback|messages)\b)/

export class RequestLog {
  #entries: LoggedRequest[] = []
  readonly #listeners = new Set<(entry: LoggedRequest) => void>()

  /** @param added called with every completed request. */
  constructor(added?: (entry: LoggedRequest) => void) {
    if (added) this.#listeners.add(added)
  }

  add(request: LoggedRequest): void {
    const entry = { ...request, path: request.path.replace(ONE_TIME, '$1/:id') }
    if (this.#entries.length >= CAPACITY) this.#entries.shift()
    this.#entries.push(entry)
    for (const listener of this.#listeners) listener({ ...entry })
  }

  /** Calls back with every completed request; returns a function that unsubscribes. */
  subscribe(listener: (entry: LoggedRequest) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  list(): LoggedRequest[] {
    return this.#entries.map((entry) => ({ ...entry }))
  }

  clear(): void {
    this.#entries = []
  }
}
