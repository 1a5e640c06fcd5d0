/** Outcome of a message in a word: its status, or that there is none. The details have the rest. */
import { type Exchange, isFailed, outcome } from '../exchanges/exchange'

export function OutcomeTag({ exchange }: { exchange: Exchange }) {
  const { response } = exchange
  const failed = isFailed(exchange)
  const words = failed ? 'failed' : outcome(exchange)
  return (
    <span class={failed ? 'outcome-tag outcome-failed' : 'outcome-tag'}>
      {response ? response.status : words}
    </span>
  )
}
