/** Tabs with their panels (ARIA practice of tabs): one tab stop, arrow keys open the next tab. */
import type { ComponentChildren } from 'preact'
import { keyTarget } from './virtual-range.js'

export interface TabEntry<Id extends string> {
  id: Id
  label: string
  /** Said and shown behind the label, for example a number. */
  note?: string | undefined
  content: ComponentChildren
}

interface TabPanelsProps<Id extends string> {
  /** Name of the list. */
  label: string
  /** Beginning of the elements' ids. */
  name: string
  tabs: readonly TabEntry<Id>[]
  selected: Id
  select: (id: Id) => void
  /** Panels that are not open stay in the document, with what was typed into them. Default: false. */
  keepsPanels?: boolean
}

export function TabPanels<Id extends string>({
  label,
  name,
  tabs,
  selected,
  select,
  keepsPanels = false,
}: TabPanelsProps<Id>) {
  const at = tabs.findIndex(({ id }) => id === selected)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabs[nextTab(event.key, at, tabs.length) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    select(next.id)
    focusTab(name, next.id)
  }
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ id, label: title, note }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={tabId(name, id)}
            aria-selected={id === selected}
            aria-controls={keepsPanels || id === selected ? `${name}-panel-${id}` : undefined}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => select(id)}
          >
            {title}
            {note !== undefined && <span class="tab-note"> {note}</span>}
          </button>
        ))}
      </div>
      {tabs
        .filter(({ id }) => keepsPanels || id === selected)
        .map(({ id, content }) => (
          <div
            key={id}
            class="tab-panel"
            role="tabpanel"
            id={`${name}-panel-${id}`}
            aria-labelledby={tabId(name, id)}
            tabIndex={0}
            hidden={id !== selected}
          >
            {content}
          </div>
        ))}
    </div>
  )
}

/** Moves the focus to a tab. */
export function focusTab(name: string, id: string): void {
  document.getElementById(tabId(name, id))?.focus()
}

function tabId(name: string, id: string): string {
  return `${name}-tab-${id}`
}

/** The first tab follows the last one. */
function nextTab(key: string, at: number, length: number): number | undefined {
  if (key === 'ArrowRight') return (at + 1) % length
  if (key === 'ArrowLeft') return (at - 1 + length) % length
  return key === 'Home' || key === 'End' ? keyTarget(key, { at, length, page: 1 }) : undefined
}
