/** Line with the outcome of a run: player, duration, number of checks, and what the tester changed. */
import { describeChanges } from '../game/request-changes'
import { passedChecks, type Run } from '../game/runs'
import { Icon } from 'kit/icon'

export function RunSummary({ run }: { run: Run }) {
  const { outcome, isFailed, player, changes, startedAt, endedAt } = run
  const checks = passedChecks(run)
  return (
    <p class={isFailed ? 'run-summary run-failed' : 'run-summary'}>
      <span class="run-outcome">
        <Icon name={isFailed ? 'cross' : endedAt === undefined ? 'clock' : 'check'} />
        {player ? <strong>{player}</strong> : null} {outcome}
      </span>
      {endedAt !== undefined && <span class="ms">{`${((endedAt - startedAt) / 1000).toFixed(1)} s`}</span>}
      <span>
        {`${checks} ${checks === 1 ? 'check' : 'checks'}`}
        <span class="word"> passed</span>
      </span>
      {changes.length > 0 && (
        <span class="run-changes">
          changed: <code>{describeChanges(changes)}</code>
        </span>
      )}
    </p>
  )
}
