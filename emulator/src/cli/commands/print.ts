/** What people see of `check`, `plan` and `sync`: colours on a terminal, plain words elsewhere. */
import { styleText } from 'node:util'
import { fieldsOf, textOf } from '../../decode.js'
import type { Issue, SyncProgress } from './sdk.js'

type Style = Parameters<typeof styleText>[0]

/** Honours NO_COLOR and FORCE_COLOR. */
function paint(style: Style, text: string): string {
  const { NO_COLOR: plain, FORCE_COLOR: forced } = process.env
  return (process.stdout.isTTY && !plain) || (forced && forced !== '0') ? styleText(style, text) : text
}

/** With the name of the command that each is about, where the definitions are at hand. */
export function printIssues(issues: readonly Issue[], definitions: readonly unknown[] = []): string {
  return issues.map((issue) => printIssue(issue, definitions)).join('')
}

function printIssue({ path, code, message, level }: Issue, definitions: readonly unknown[]): string {
  const mark = level === 'warning' ? paint('yellow', '! warning') : paint('red', '✗ error  ')
  const name = textOf(fieldsOf(definitions[Number(/^\[(\d+)\]/.exec(path)?.[1])])['name'])
  const owner = name === undefined ? '' : ` ${paint('cyan', name)}`
  return `${mark}${owner} ${paint('bold', path || 'list')} ${message} ${paint('dim', code)}\n`
}

/** A plan's own words, each line in the colour of what it does. */
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
