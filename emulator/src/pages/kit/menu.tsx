/** Menu button with commands; the arrow keys move in it, Escape closes it. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface Props<Item> {
  label: string
  groups: { title: string; items: Item[] }[]
  /** Text of a menu without entries. */
  empty: string
  choose: (item: Item) => void
}

export function Menu<Item extends { label: string }>({ label, groups, empty, choose }: Props<Item>) {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const entries = () => [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const shown = groups.filter(({ items }) => items.length > 0)
  useLayoutEffect(() => {
    if (!open) return undefined
    entries()[0]?.focus()
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node) || box.current?.contains(target) !== true) setOpen(false)
    }
    addEventListener('pointerdown', leave)
    return () => removeEventListener('pointerdown', leave)
  }, [open])
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const items = entries()
    const at = items.findIndex((item) => item === document.activeElement)
    const targets: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1 + items.length,
      Home: 0,
      End: items.length - 1,
    }
    const next = targets[event.key]
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setOpen(false)
    else if (next !== undefined && items.length > 0) {
      event.preventDefault()
      items[next % items.length]?.focus()
    }
  }
  const take = (item: Item) => {
    close()
    choose(item)
  }
  return (
    <div class="menu" ref={box}>
      <button
        type="button"
        class="dots"
        ref={button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        ⋯
      </button>
      {open && (
        <div role="menu" aria-label={label} class="items" onKeyDown={onKeyDown}>
          {shown.length === 0 && (
            <button type="button" role="menuitem" aria-disabled="true" onClick={close}>
              {empty}
            </button>
          )}
          {shown.map(({ title, items }) => (
            <div role="group" aria-label={title}>
              <p aria-hidden="true">{title}</p>
              {items.map((item) => (
                <button type="button" role="menuitem" tabIndex={-1} onClick={() => take(item)}>
                  {item.label}
                </button>
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
