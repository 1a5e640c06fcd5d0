/** List of the SDK's checks of one message, each with its result, the expected and the received value. */
import type { Check } from 'foyer-sdk'
import { Fragment } from 'preact'
import { comparison } from '../game/runs'
import { checkLabel } from '../game/step-labels'
import { Icon } from 'kit/icon'

const RESULTS = { passed: 'check', absent: 'dot', failed: 'cross' } as const

/** Open from the start if a check failed; from then on it is the reader's. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  const hasFailed = checks.some(({ result }) => result === 'failed')
  return (
    <details
      class="checks"
      open={hasFailed}
      onToggle={({ currentTarget }) => currentTarget.open && !hasFailed && showWhole(currentTarget)}
    >
      <summary>{summary(checks)}</summary>
      <dl>
        {checks.map((check) => (
          <Fragment key={check.check}>
            <dt>
              <span class={`check-${check.result}`}>
                <Icon name={RESULTS[check.result]} />
                <span class="visually-hidden">{`${check.result}: `}</span>
              </span>
              {check.check}
            </dt>
            <dd>{[checkLabel(check.check), comparison(check)].filter(Boolean).join(': ')}</dd>
          </Fragment>
        ))}
      </dl>
    </details>
  )
}

/** A list that the reader has opened is seen without scrolling, as far as there is room. */
function showWhole(list: HTMLElement): void {
  list.scrollIntoView({ block: 'nearest' })
}

/** Counts each result that occurs; absent or failed checks are never counted as passed. */
function summary(checks: readonly Check[]): string {
  const counts = (['passed', 'absent', 'failed'] as const).map((result) => [
    checks.filter((check) => check.result === result).length,
    result,
  ])
  return `Checks: ${counts
    .filter(([count]) => count !== 0)
    .map((pair) => pair.join(' '))
    .join(', ')}`
}
