/** Details of one logged request, for the inspector. */
import type { ExchangeView } from '../exchanges/exchange-view.js'
import { maskExchange } from '../exchanges/mask-exchange.js'
import { RelatedExchanges, type RelatedExchange } from '../exchanges/related-exchanges.js'
import { viewExchange } from '../exchanges/view-exchange.js'
import type { RequestLog } from './request-log.js'

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
    return { serial, revealed: reveal, ...(reveal ? view : maskExchange(view)), related: related.find(found, all) }
  }
}
