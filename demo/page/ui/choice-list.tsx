/** List of rows, of which one is chosen by a click or by the arrow keys. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { keyTarget } from 'kit/virtual-range'

/** Rows that the keys for a page pass. */
const PAGE = 5

interface Props<Row> {
  /** Beginning of the elements' ids. */
  name: string
  label: string
  class: string
  rows: readonly Row[]
  chosen: Row | undefined
  choose: (row: Row) => void
  /** Class, key and content of one row. */
  draw: (row: Row) => { class: string; key: string; content: ComponentChildren }
}

export function ChoiceList<Row>({ name, label, class: look, rows, chosen, choose, draw }: Props<Row>) {
  const list = useRef<HTMLOListElement>(null)
  const at = rows.findIndex((row) => row === chosen)
  useInView(list, at)
  const move = (event: KeyboardEvent) => {
    const next = rows[keyTarget(event.key, { at, length: rows.length, page: PAGE }) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  return (
    <ol
      ref={list}
      class={look}
      role="listbox"
      aria-label={label}
      tabindex={0}
      aria-activedescendant={at < 0 ? undefined : `${name}-${at}`}
      onKeyDown={move}
    >
      {rows.map((row, index) => {
        const { class: rowLook, key, content } = draw(row)
        return (
          <li
            class={rowLook}
            role="option"
            id={`${name}-${index}`}
            aria-selected={index === at}
            onClick={() => choose(row)}
            key={key}
          >
            {content}
          </li>
        )
      })}
    </ol>
  )
}

/** Keeps the chosen row in view within its room, also when one of them changes its size. */
function useInView(list: { readonly current: HTMLElement | null }, at: number): void {
  useLayoutEffect(() => {
    const row = list.current?.children[at]
    const room = list.current?.closest('[data-room]')
    if (!row || !room) return undefined
    const observer = new ResizeObserver(() => row.scrollIntoView({ block: 'nearest' }))
    observer.observe(room)
    // An answer may make the row higher.
    observer.observe(row)
    return () => observer.disconnect()
  }, [at])
}
