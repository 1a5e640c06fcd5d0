/** Output of `check`, `plan` and `sync`: colours on a terminal, plain text elsewhere. */
import { styleText } from 'node:util'
import { fieldsOf, textOf } from '../../foundation/type-guards.js'
import type { Issue, SyncProgress } from './load-sdk.js'

type Style = Parameters<typeof styleText>[0]

/** Honours NO_COLOR and FORCE_COLOR. */
function paint(style: Style, text: string, { isTTY }: { isTTY?: boolean } = process.stdout): string {
  const { NO_COLOR: plain, FORCE_COLOR: forced } = process.env
  return (isTTY && !plain) || (forced && forced !== '0') ? styleText(style, text, { validateStream: false }) : text
}

/** Output stream of the issues, and the definitions that provide the names in them. */
export interface Printing {
  to?: { isTTY?: boolean }
  definitions?: readonly unknown[]
}

export function printIssues(issues: readonly Issue[], { to = process.stdout, definitions = [] }: Printing = {}): string {
  return issues.map((issue) => printIssue(issue, { to, definitions })).join('')
}

function printIssue({ path, code, message, level }: Issue, { to, definitions }: Required<Printing>): string {
  const mark = level === 'warning' ? paint('yellow', '! warning', to) : paint('red', '✗ error  ', to)
  const name = textOf(fieldsOf(definitions[Number(/^\[(\d+)\]/.exec(path)?.[1])])['name'])
  const owner = name === undefined ? '' : ` ${paint('cyan', name, to)}`
  return `${mark}${owner} ${paint('bold', path || 'list', to)} ${message} ${paint('dim', code, to)}\n`
}

/** The text of a plan, each line coloured by its action. */
export function printPlan(plan: string): string {
  return `${plan.split('\n').map(printPlanLine).join('\n')}\n`
}

const COLOURS: Readonly<Record<string, Style>> = { '+': 'green', '~': 'yellow', '-': 'red', '!': 'magenta' }

function printPlanLine(line: string): string {
  const style = COLOURS[line.charAt(0)]
  return style ? paint(style, line) : line
}

export function printProgress({ step, done, total }: SyncProgress): string {
  const name = step.command?.name ?? step.existing?.name ?? ''
  return `${paint('dim', `[${String(done).padStart(String(total).length)}/${total}]`)} ${step.action}d ${name}\n`
}
