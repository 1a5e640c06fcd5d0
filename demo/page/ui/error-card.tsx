/** Card that describes an error, with its code and advice. */
import { explain } from '../game/error-advice'
import { h } from './create-element'
import { Icon, icon } from './icons'

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

export function failureCard(error: unknown): HTMLElement {
  const { className, code, detail, advice, quote, cause } = explain(error)
  return h('div', { class: 'failure' }, [
    h('p', { class: 'failure-head' }, [icon('cross'), h('strong', {}, [code]), h('span', { class: 'tag' }, [className])]),
    cause !== undefined && h('p', { class: 'failure-cause' }, [`Caused by ${cause}.`]),
    detail !== '' && h('p', {}, [detail]),
    quote !== undefined && h('p', { class: 'hint' }, ['The service’s own words, unchecked: ', h('q', {}, [quote])]),
    h('p', { class: 'advice' }, [advice]),
  ])
}
