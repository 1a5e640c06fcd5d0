/** Steps of a run as rows. The chosen one is the step whose message is shown. */
import { Icon } from 'kit/icon'
import { useDemo } from '../../context/use-demo'
import { isFailed, title as titleOf } from '../../exchanges/exchange'
import type { RunRow } from '../../game/run-rows'
import { ChoiceList } from '../../ui/choice-list'
import { OutcomeTag } from '../../ui/outcome-tag'

const WORDS = { done: 'Done', warning: 'Warning', failed: 'Failed' }
const ICONS = { done: 'check', warning: 'warning', failed: 'cross' } as const

interface Props {
  rows: readonly RunRow[]
  shown: RunRow | undefined
}

export function RunSteps({ rows, shown }: Props) {
  const { runs } = useDemo()
  return (
    <div role="log" aria-label="Steps of the sign-in">
      <ChoiceList
        name="step"
        label="Steps"
        class="steps"
        rows={rows}
        chosen={shown}
        choose={({ key }) => (runs.chosenRow.value = key)}
        draw={(row) => ({
          class: `step step-${row.kind}${row.isRequest ? ' step-request' : ''}`,
          key: row.key,
          content: <Step row={row} />,
        })}
      />
    </div>
  )
}

function Step({ row: { kind, title, at, message } }: { row: RunRow }) {
  // A finished step stays ticked, also if the player then declined: the row of the error says that.
  const isTagged =
    message !== undefined && (message.response !== undefined || (kind === 'failed' && isFailed(message)))
  return (
    <>
      <span class="step-mark">
        <Icon name={ICONS[kind]} />
        <span class="visually-hidden">{`${WORDS[kind]}: `}</span>
      </span>
      <strong>{title}</strong>
      {message && <code class="step-message">{titleOf(message)}</code>}
      {isTagged && <OutcomeTag exchange={message} />}
      <span class="ms">{sinceStart(at)}</span>
    </>
  )
}

/** Time from the start of the run: `+12 ms`, `+3.4 s`. */
function sinceStart(ms: number): string {
  return ms < 1000 ? `+${Math.round(ms)} ms` : `+${(ms / 1000).toFixed(1)} s`
}
