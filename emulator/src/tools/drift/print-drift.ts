/** Text of a report. Pure. */
import { headerText } from '../../foundation/header-text.js'
import type { Drift, DriftKind, DriftReport } from './drift-types.js'
import type { Comparison } from './scenario.js'

const TITLES: Readonly<Record<DriftKind, string>> = {
  operation_not_served: 'Operations that are not served',
  response_invalid: 'Responses that do not fit',
  status_not_declared: 'Statuses that are not declared',
  valid_refused: 'Valid requests that are refused',
  invalid_accepted: 'Invalid requests that are accepted',
}

const BASES = {
  stated: 'stated by the interface',
  assumed: 'assumed by the interface',
  absent: 'not in the interface',
} as const

export function printDrift({ drifts, unreached, unjudged, operations, requests }: DriftReport): string {
  const sections = Object.entries(TITLES).flatMap(([kind, title]) => {
    const own = drifts.filter((drift) => drift.kind === kind)
    return own.length === 0 ? [] : [`${title}\n${own.map(line).join('')}`]
  })
  const skipped = unreached.map(({ operation, reason }) => `  ${operation}: ${reason}\n`).join('')
  const others = unjudged.map(({ operation, at, reason }) => `  ${operation} ${at}: ${reason}\n`).join('')
  const open = drifts.filter(({ accepted }) => accepted === undefined).length
  const end = `${operations} operations, ${requests} requests: ${open} differences, ${drifts.length - open} accepted.\n`
  return [
    ...sections,
    ...(others === '' ? [] : [`Invalid requests that were refused for another reason\n${others}`]),
    ...(skipped === '' ? [] : [`Operations of which only the existence was compared\n${skipped}`]),
    end,
  ].join('\n')
}

function line({ operation, at, detail, rule, basis, accepted }: Drift): string {
  const place = at === '' ? operation : `${operation} ${at}`
  const reasons = [
    BASES[basis],
    ...(rule === undefined ? [] : [`rule: ${rule}`]),
    ...(accepted === undefined ? [] : [`accepted: ${accepted}`]),
  ]
  return `  ${accepted === undefined ? '✗' : '✓'} ${place}: ${detail} (${reasons.join('; ')})\n`
}

/** Differences of a service, in the order of the scenario. Names that the service chose are printed without control characters. */
export function printComparison({ differences, skipped, steps }: Comparison): string {
  const lines = differences.map(({ kind, operation, at, detail, accepted }) => {
    const place = at === '' ? operation : `${operation}: ${at}`
    const reason = accepted === undefined ? '' : ` (accepted: ${accepted})`
    return headerText(`  ${accepted === undefined ? 'x' : 'ok'} ${place}: ${detail} (${kind})${reason}`)
  })
  const missing = skipped.map(({ step, reason }) => headerText(`  - ${step}: not compared: ${reason}`))
  const open = differences.filter(({ accepted }) => accepted === undefined).length
  const end = `${steps} steps: ${open} differences, ${differences.length - open} accepted, ${skipped.length} not compared.`
  return `${[...lines, ...missing, end].join('\n')}\n`
}
