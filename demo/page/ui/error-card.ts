/** Card that describes an error, with its code and advice. */
import { explain } from '../game/error-advice'
import { h } from './create-element'
import { icon } from './icons'

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
