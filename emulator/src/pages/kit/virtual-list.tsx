/** List of any length that renders only the rows in view; the arrow keys select one (ARIA practice of a list box). */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { keyTarget, shownRange } from './virtual-range.js'

/** Height of a row in rem, as in the style sheet: it grows with the browser's font size. */
const ROW_REM = 1.75

interface Props<Item> {
  label: string
  items: Item[]
  keyOf: (item: Item) => number
  selected: Item | undefined
  select: (item: Item | undefined) => void
  classOf: (item: Item) => string
  show: (item: Item) => ComponentChildren
}

export function VirtualList<Item>({ label, items, keyOf, selected, select, classOf, show }: Props<Item>) {
  const list = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const row = useRowHeight()
  const top = items[0] === undefined ? 0 : keyOf(items[0])
  useAnchor(list, row, { top, countSince: (key) => items.filter((item) => keyOf(item) > key).length })
  useEffect(() => {
    const box = list.current
    if (box === null) return undefined
    const measure = () => setView({ top: box.scrollTop, height: box.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    box.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', measure)
    }
  }, [])
  const { from, to } = shownRange({ ...view, row, length: items.length })
  const at = selected === undefined ? -1 : items.findIndex((item) => keyOf(item) === keyOf(selected))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return select(undefined)
    const next = keyTarget(event.key, {
      at,
      length: items.length,
      page: Math.max(1, Math.floor(view.height / row) - 1),
    })
    if (next === undefined) return
    event.preventDefault()
    select(items[next])
    if (list.current !== null) reveal(list.current, next * row, row)
  }
  const idOf = (item: Item) => `row-${keyOf(item)}`
  const isShown = at >= from && at < to
  return (
    <div
      ref={list}
      class="virtual"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={isShown && selected !== undefined ? idOf(selected) : undefined}
      onKeyDown={onKeyDown}
    >
      <div class="runway" role="presentation" style={{ height: `${items.length * row}px` }}>
        {items.slice(from, to).map((item, index) => (
          <div
            key={keyOf(item)}
            id={idOf(item)}
            role="option"
            class={`row ${classOf(item)}`}
            aria-selected={from + index === at}
            aria-setsize={items.length}
            aria-posinset={from + index + 1}
            style={{ top: `${(from + index) * row}px` }}
            onClick={() => select(item)}
          >
            {show(item)}
          </div>
        ))}
      </div>
    </div>
  )
}

/** Height of a row in pixels. */
function useRowHeight(): number {
  const [height, setHeight] = useState(() => ROW_REM * rootFontSize())
  useEffect(() => {
    const measure = () => setHeight(ROW_REM * rootFontSize())
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [])
  return height
}

function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

/** Keeps the rows in view where they are while new ones arrive above them; at the top, new rows are shown. */
function useAnchor(
  list: { current: HTMLDivElement | null },
  row: number,
  { top, countSince }: { top: number; countSince: (key: number) => number },
): void {
  const known = useRef(top)
  useLayoutEffect(() => {
    const box = list.current
    if (box !== null && box.scrollTop > 0) box.scrollTop += countSince(known.current) * row
    known.current = top
  }, [list, row, top])
}

function reveal(box: HTMLElement, top: number, row: number): void {
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + row > box.scrollTop + box.clientHeight) box.scrollTop = top + row - box.clientHeight
}
