/** Metadata input with a counter against its maximum length. */
import type { Metadata } from 'foyer-sdk'
import { countMetadata, METADATA_LIMIT, parseMetadata, writeMetadata } from '../game/metadata-text'
import { h } from './create-element'

export interface MetadataEditor {
  readonly element: HTMLElement
  readonly value: Metadata
  /** Shows the service's value, unless the user is typing. */
  show(metadata: Metadata): void
}

export function metadataEditor(id: string, label: string, placeholder: string): MetadataEditor {
  const bar = h('meter', { class: 'count-bar', min: 0, max: METADATA_LIMIT, high: METADATA_LIMIT * 0.9, 'aria-labelledby': `${id}-count` })
  const count = h('span', { id: `${id}-count` })
  const input = h('textarea', {
    id,
    rows: 3,
    placeholder,
    spellcheck: 'false',
    'aria-describedby': `${id}-count`,
    oninput: () => measure(),
  })
  const measure = () => {
    const used = countMetadata(parseMetadata(input.value))
    const isOver = used > METADATA_LIMIT
    bar.value = used
    count.textContent = `${used.toLocaleString('en')} of ${METADATA_LIMIT.toLocaleString('en')} characters${isOver ? ': too many' : ''}`
    count.classList.toggle('over', isOver)
    if (isOver) input.setAttribute('aria-invalid', 'true')
    else input.removeAttribute('aria-invalid')
  }
  measure()
  let shown = ''
  return {
    element: h('div', { class: 'field' }, [h('label', { for: id }, [label]), input, h('div', { class: 'count' }, [bar, count])]),
    get value() {
      return parseMetadata(input.value)
    },
    show(metadata) {
      const text = writeMetadata(metadata)
      if (text === shown || document.activeElement === input) return
      shown = text
      input.value = text
      measure()
    },
  }
}
