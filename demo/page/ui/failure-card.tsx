/** Card that describes an error, with its code and advice. */
import { explain } from '../game/explain'
import { Icon } from 'kit/icon'

export function FailureCard({ error }: { error: unknown }) {
  const { className, code, detail, advice, quote, cause } = explain(error)
  return (
    <div class="failure">
      <p class="failure-head">
        <Icon name="cross" />
        <strong>{code}</strong>
        <span class="tag">{className}</span>
      </p>
      {cause !== undefined && <p class="failure-cause">Caused by {cause}.</p>}
      {detail !== '' && <p>{detail}</p>}
      {quote !== undefined && (
        <p class="hint">
          The service’s own words, unchecked: <q>{quote}</q>
        </p>
      )}
      <p class="advice">{advice}</p>
    </div>
  )
}
