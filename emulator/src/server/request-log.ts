/** Log of the last requests. Its entries have no secrets; what was received and sent is kept beside them. */
import type { Exchange } from '../exchanges/record-exchange.js'
import type { NumberedExchange } from '../exchanges/related-exchanges.js'
import { maskPath } from '../exchanges/secret-names.js'
import type { FaultKind } from '../faults/apply-fault.js'
import type { LimitUse } from '../limits/limits.js'

export interface LoggedRequest {
  /** Number by which the inspector finds the details. It grows with each request, also over a restart. */
  serial?: number
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

interface Entry {
  request: LoggedRequest & { serial: number }
  exchange: Exchange | undefined
}

export class RequestLog {
  #entries: Entry[] = []
  /** An emulator that starts later begins with a higher number: the inspector confuses none after a restart. */
  #serial = Date.now()
  readonly #listeners = new Set<(entry: LoggedRequest) => void>()

  /** @param added called with every completed request. */
  constructor(added?: (entry: LoggedRequest) => void) {
    if (added) this.#listeners.add(added)
  }

  /** @param exchange what was received and sent; kept as long as the entry. */
  add(request: LoggedRequest, exchange?: Exchange): void {
    const entry = { ...request, serial: ++this.#serial, path: maskPath(request.path) }
    if (this.#entries.length >= CAPACITY) this.#entries.shift()
    this.#entries.push({ request: entry, exchange })
    for (const listener of this.#listeners) listener({ ...entry })
  }

  /** Calls back with every completed request; returns a function that unsubscribes. */
  subscribe(listener: (entry: LoggedRequest) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  list(): LoggedRequest[] {
    return this.#entries.map(({ request }) => ({ ...request }))
  }

  /** What was received and sent, oldest first. Contains secrets. */
  exchanges(): NumberedExchange[] {
    return this.#entries.flatMap(({ request: { serial, at, player }, exchange }) =>
      exchange === undefined ? [] : [{ serial, at, player, exchange }],
    )
  }

  clear(): void {
    this.#entries = []
  }
}
