/** Log of the last requests. Its entries have no secrets; what was received and sent is kept beside them. */
import type { ExchangeView } from '../../exchanges/exchange-view.js'
import { maskExchange } from '../../exchanges/mask-exchange.js'
import type { Exchange } from '../../exchanges/record-exchange.js'
import {
  RelatedExchanges,
  type NumberedExchange,
  type RelatedExchange,
} from '../../exchanges/related-exchanges.js'
import { RequestSenders, type RequestSender } from '../../exchanges/request-senders.js'
import { maskPath } from '../../exchanges/secret-names.js'
import { viewExchange } from '../../exchanges/view-exchange.js'
import type { FaultKind } from '../../service/faults/apply-fault.js'
import type { LimitUse } from '../../service/limits/limits.js'

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
  /**
   * The sender: a player, the bot or the application. The requests of a sign-in before its player decided have it too, as soon as the
   * player is known. Absent if the emulator cannot know it.
   */
  sender?: RequestSender
  /** User name of the player who sent it. */
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
  readonly #senders = new RequestSenders<Entry['request']>()
  /** Called with each completed request. */
  readonly #added: ((entry: LoggedRequest) => void) | undefined

  /** @param added called with every completed request. */
  constructor(added?: (entry: LoggedRequest) => void) {
    this.#added = added
  }

  /** @param exchange what was received and sent; kept as long as the entry. */
  add(request: LoggedRequest, exchange?: Exchange): void {
    const entry = { ...request, serial: ++this.#serial, path: maskPath(request.path) }
    if (this.#entries.length >= CAPACITY) this.#forget(this.#entries.shift())
    this.#entries.push({ request: entry, exchange })
    const recognized = this.#senders.add(entry, exchange)
    this.#added?.({ ...entry })
    for (const each of [entry, ...recognized]) for (const listener of this.#listeners) listener({ ...each })
  }

  #forget(entry: Entry | undefined): void {
    if (entry !== undefined) this.#senders.forget(entry.request)
  }

  /**
   * Calls back with every completed request, and again with the same `serial` when its sender becomes known. Returns a function that
   * unsubscribes.
   */
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
    for (const entry of this.#entries) this.#forget(entry)
    this.#entries = []
  }
}

export interface RequestDetails extends ExchangeView {
  serial: number
  /** True if secrets are shown. */
  revealed: boolean
  related: RelatedExchange[]
}

/** Returns a function that reads the details of a request; undefined if the log has it no more. */
export function createDetailsReader(log: RequestLog) {
  const related = new RelatedExchanges()
  return (serial: number, { reveal }: { reveal: boolean }): RequestDetails | undefined => {
    const all = log.exchanges()
    const found = all.find((each) => each.serial === serial)
    if (found === undefined) return undefined
    const view = viewExchange(found.exchange)
    return {
      serial,
      revealed: reveal,
      ...(reveal ? view : maskExchange(view)),
      related: related.find(found, all),
    }
  }
}
