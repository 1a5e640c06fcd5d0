/** Card that describes an error, with its code and advice. */
import { explain } from '../game/explain'
import { Icon } from 'kit/icon'

interface Props {
  error: unknown
  /** Leaves out the details, which are told beside the card. Default: false. */
  isBrief?: boolean
}

export function FailureCard({ error, isBrief = false }: Props) {
  const { className, code, detail, advice, quote, cause } = explain(error)
  return (
    <div class="failure">
      <p class="failure-head">
        <Icon name="cross" />
        <strong>{code}</strong>
        <span class="tag">{className}</span>
      </p>
      {cause !== undefined && <p class="failure-cause">Caused by {cause}.</p>}
      {detail !== '' && !isBrief && <p>{detail}</p>}
      {quote !== undefined && !isBrief && (
        <p class="hint">
          The service’s own words, unchecked: <q>{quote}</q>
        </p>
      )}
      <p class="advice">{advice}</p>
    </div>
  )
}
