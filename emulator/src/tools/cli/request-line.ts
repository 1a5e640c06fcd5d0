/** Formats a request as one line for a terminal: time, request, response, and the rule that refused it. */
import { styleText } from 'node:util'
import { headerText } from '../../foundation/header-text.js'
import type { LoggedRequest } from '../../api/request/request-log.js'

type Format = Parameters<typeof styleText>[0]

export function requestLine(
  { at, method, path, status, ms, rule, fault }: LoggedRequest,
  { colour }: { colour: boolean },
): string {
  const paint = (format: Format, text: string) =>
    colour ? styleText(format, text, { validateStream: false }) : text
  const parts = [
    paint('dim', new Date(at).toTimeString().slice(0, 8)),
    paint(formatOf(status), status === 0 ? '---' : String(status)),
    method.padEnd(6),
    path,
    paint('dim', `${Math.round(ms)} ms`),
    ...(fault === undefined ? [] : [paint('magenta', `fault: ${fault}`)]),
    ...(rule === undefined ? [] : [paint('yellow', headerText(rule))]),
  ]
  return parts.join('  ')
}

function formatOf(status: number): Format {
  if (status >= 500 || status === 0) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}
