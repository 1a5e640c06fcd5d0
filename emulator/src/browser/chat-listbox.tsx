/** Listbox under a field: one entry is active, the arrow keys move it, Enter selects it. */
import { html, useEffect, useRef, useState } from './preact.js'

export function useListKeys(items, choose, cancel) {
  const [active, setActive] = useState(0)
  const at = Math.min(active, Math.max(0, items.length - 1))
  const onKeyDown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && items.length > 0) {
      event.preventDefault()
      setActive((at + step + items.length) % items.length)
    } else if ((event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) && items[at] !== undefined) {
      event.preventDefault()
      setActive(0)
      choose(items[at])
    } else if (event.key === 'Escape') {
      event.preventDefault()
      setActive(0)
      cancel()
    }
  }
  return { active: at, onKeyDown }
}

export function Listbox({ id, label, items, active, choose, show }) {
  const list = useRef()
  useEffect(() => {
    list.current.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, items.length])
  return html`<ul role="listbox" id=${id} aria-label=${label} ref=${list} hidden=${items.length === 0}>
    ${items.map(
      (item, index) =>
        html`<li
          role="option"
          id=${`${id}-${index}`}
          aria-selected=${index === active}
          onPointerDown=${(event) => event.preventDefault()}
          onClick=${() => choose(item)}
        >
          ${show(item)}
        </li>`,
    )}
  </ul>`
}
