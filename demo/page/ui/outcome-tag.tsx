/** Outcome of a message in a word: its status, or that there is none. The details have the rest. */
import { type Exchange, isFailed, outcome } from '../exchanges/exchange'

export function OutcomeTag({ exchange }: { exchange: Exchange }) {
  const { response, kind, duration } = exchange
  const failed = isFailed(exchange)
  const words = failed ? 'failed' : outcome(exchange)
  const isOpen = !response && kind !== 'callback' && duration === undefined
  return (
    <span class={`outcome-tag ${failed ? 'outcome-failed' : isOpen ? 'outcome-open' : ''}`}>
      {response ? response.status : words}
    </span>
  )
}
