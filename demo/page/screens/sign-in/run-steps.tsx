/** Steps of a run as rows. A click or the arrow keys choose the one whose message is shown. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from 'kit/icon'
import { keyTarget } from 'kit/virtual-range'
import { useDemo } from '../../context/use-demo'
import { isFailed, title as titleOf } from '../../exchanges/exchange'
import type { RunRow } from '../../game/run-rows'
import { OutcomeTag } from '../../ui/outcome-tag'

const WORDS = { done: 'Done', warning: 'Warning', failed: 'Failed' }
const ICONS = { done: 'check', warning: 'warning', failed: 'cross' } as const
/** Rows that the keys for a page pass. */
const PAGE = 5

interface Props {
  rows: readonly RunRow[]
  shown: RunRow | undefined
}

export function RunSteps({ rows, shown }: Props) {
  const { runs } = useDemo()
  const list = useRef<HTMLOListElement>(null)
  const at = rows.findIndex((row) => row === shown)
  useInView(list, at)
  const move = (event: KeyboardEvent) => {
    const next = rows[keyTarget(event.key, { at, length: rows.length, page: PAGE }) ?? -1]
    if (!next) return
    event.preventDefault()
    runs.chosenRow.value = next.key
  }
  return (
    <div role="log" aria-label="Steps of the sign-in">
      <ol
        ref={list}
        class="steps"
        role="listbox"
        aria-label="Steps"
        tabindex={0}
        aria-activedescendant={at < 0 ? undefined : `step-${at}`}
        onKeyDown={move}
      >
        {rows.map((row, index) => (
          <Step
            row={row}
            id={`step-${index}`}
            isShown={index === at}
            choose={() => (runs.chosenRow.value = row.key)}
            key={row.key}
          />
        ))}
      </ol>
    </div>
  )
}

/** Keeps the shown row in view, also when the room for the list changes. */
function useInView(list: { readonly current: HTMLElement | null }, at: number): void {
  useLayoutEffect(() => {
    const row = list.current?.children[at]
    const room = list.current?.closest('#run-view')
    if (!row || !room) return undefined
    const observer = new ResizeObserver(() => row.scrollIntoView({ block: 'nearest' }))
    observer.observe(room)
    return () => observer.disconnect()
  }, [at])
}

interface StepProps {
  row: RunRow
  id: string
  isShown: boolean
  choose: () => void
}

function Step({ row: { kind, title, at, message, isRequest }, id, isShown, choose }: StepProps) {
  return (
    <li
      class={`step step-${kind}${isRequest ? ' step-request' : ''}`}
      role="option"
      id={id}
      aria-selected={isShown}
      onClick={choose}
    >
      <span class="step-mark">
        <Icon name={ICONS[kind]} />
        <span class="visually-hidden">{`${WORDS[kind]}: `}</span>
      </span>
      <strong>{title}</strong>
      {message && <code class="step-message">{titleOf(message)}</code>}
      {message && (message.response || isFailed(message)) && <OutcomeTag exchange={message} />}
      <span class="ms">{sinceStart(at)}</span>
    </li>
  )
}

/** Time from the start of the run: `+12 ms`, `+3.4 s`. */
function sinceStart(ms: number): string {
  return ms < 1000 ? `+${Math.round(ms)} ms` : `+${(ms / 1000).toFixed(1)} s`
}
