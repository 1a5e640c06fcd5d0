/** List of the SDK's checks of one message, each with its result, the expected and the received value. */
import type { Check } from 'foyer-sdk'
import { comparison } from '../game/sign-in-timeline'
import { checkLabel } from '../game/step-labels'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'

const RESULTS = { passed: 'check', absent: 'warning', failed: 'cross' } as const

export function checkList(checks: readonly Check[]): HTMLElement {
  return h('details', { class: 'checks', open: checks.some(({ result }) => result === 'failed') }, [
    h('summary', {}, [summary(checks)]),
    h('dl', {}, checks.flatMap(checkRow)),
  ])
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

function checkRow(check: Check): HTMLElement[] {
  const mark = h('span', { class: `check-${check.result}` }, [
    icon(RESULTS[check.result]),
    h('span', { class: 'visually-hidden' }, [`${check.result}: `]),
  ])
  return [h('dt', {}, [mark, check.check]), h('dd', {}, [[checkLabel(check.check), comparison(check)].filter(Boolean).join(': ')])]
}
