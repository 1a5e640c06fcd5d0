/** Menu button with commands; the arrow keys move in it, Escape closes it. */
import { html, useLayoutEffect, useRef, useState } from './preact.js'

export function Menu({ label, groups, empty, choose }) {
  const [open, setOpen] = useState(false)
  const box = useRef()
  const button = useRef()
  const shown = groups.filter(({ items }) => items.length > 0)
  useLayoutEffect(() => {
    if (!open) return undefined
    box.current.querySelector('[role=menuitem]')?.focus()
    const leave = ({ target }) => !box.current.contains(target) && setOpen(false)
    addEventListener('pointerdown', leave)
    return () => removeEventListener('pointerdown', leave)
  }, [open])
  const close = () => {
    setOpen(false)
    button.current.focus()
  }
  const onKeyDown = (event) => {
    const items = [...box.current.querySelectorAll('[role=menuitem]')]
    const at = items.indexOf(document.activeElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key]
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setOpen(false)
    else if (next !== undefined && items.length > 0) {
      event.preventDefault()
      items[next % items.length].focus()
    }
  }
  const take = (item) => {
    close()
    choose(item)
  }
  return html`<div class="menu" ref=${box}>
    <button
      type="button"
      class="dots"
      ref=${button}
      aria-label=${label}
      aria-haspopup="menu"
      aria-expanded=${open}
      onClick=${() => setOpen(!open)}
    >
      ⋯
    </button>
    ${
      open &&
      html`<div role="menu" aria-label=${label} class="items" onKeyDown=${onKeyDown}>
        ${shown.length === 0 && html`<button type="button" role="menuitem" aria-disabled="true" onClick=${close}>${empty}</button>`}
        ${shown.map(
          ({ title, items }) =>
            html`<div role="group" aria-label=${title}>
              <p aria-hidden="true">${title}</p>
              ${items.map((item) => html`<button type="button" role="menuitem" tabindex="-1" onClick=${() => take(item)}>${item.label}</button>`)}
            </div>`,
        )}
      </div>`
    }
  </div>`
}
