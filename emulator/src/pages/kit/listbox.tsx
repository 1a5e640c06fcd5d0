/** Listbox under a field: one entry is active, the arrow keys move it, Enter selects it. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

const STEPS: Record<string, number | undefined> = { ArrowDown: 1, ArrowUp: -1 }

export function useListKeys<Item>(items: Item[], choose: (item: Item) => void, cancel: () => void) {
  const [active, setActive] = useState(0)
  const at = Math.min(active, Math.max(0, items.length - 1))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const item = items[at]
    if (step !== undefined && items.length > 0) {
      event.preventDefault()
      setActive((at + step + items.length) % items.length)
    } else if ((event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) && item !== undefined) {
      event.preventDefault()
      setActive(0)
      choose(item)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      setActive(0)
      cancel()
    }
  }
  return { active: at, onKeyDown }
}

interface Props<Item> {
  id: string
  label: string
  items: Item[]
  /** Index of the active entry. */
  active: number
  choose: (item: Item) => void
  show: (item: Item) => ComponentChildren
}

export function Listbox<Item>({ id, label, items, active, choose, show }: Props<Item>) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, items.length])
  return (
    <ul role="listbox" id={id} aria-label={label} ref={list} hidden={items.length === 0}>
      {items.map((item, index) => (
        <li
          role="option"
          id={`${id}-${index}`}
          aria-selected={index === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(item)}
        >
          {show(item)}
        </li>
      ))}
    </ul>
  )
}
