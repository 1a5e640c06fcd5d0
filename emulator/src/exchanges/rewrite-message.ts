/** Walks through every value of a message: its query, headers and body. */
import type { Header } from './record-exchange.js'
import type { ShownMessage } from './exchange-view.js'
import type { Visit } from './rewrite-json.js'
import { rewriteBody } from './rewrite-body.js'
import { type Budget, createBudget, rewriteForm, rewriteText, visitInside } from './rewrite-text.js'
import { isPublicHeader } from './secret-names.js'

/** Calls for each value; changes nothing. */
export function visitMessage(message: ShownMessage, visit: Visit): void {
  rewriteMessage(message, (field) => void visit(field))
}

export function rewriteMessage({ line, headers, body }: ShownMessage, visit: Visit): ShownMessage {
  const { text, type } = body
  const budget = createBudget()
  const isAnswer = line.startsWith('HTTP/')
  return {
    line: rewriteLine(line, visitInside(visit, budget)),
    headers: headers.map((header): Header => [header[0], rewriteHeader(header, visit, budget)]),
    body:
      text === undefined
        ? body
        : {
            ...body,
            text: rewriteBody(text, {
              visit,
              type,
              isCut: body.cut === true,
              isAnswer,
              budget,
            }),
          },
  }
}

/** The query of a request line is a form. */
function rewriteLine(line: string, visit: Visit): string {
  const [, before = line, query = '', after = ''] = /^(\S+ [^\s?]*\?)(\S*)( HTTP\/\S+)$/.exec(line) ?? []
  return before + rewriteForm(query, visit) + after
}

function rewriteHeader([name, value]: Header, visit: Visit, budget: Budget): string {
  switch (name.toLowerCase()) {
    case 'authorization':
    case 'proxy-authorization': {
      const scheme = /^\w+\s+/.exec(value)?.[0] ?? ''
      const credentials = value.slice(scheme.length)
      return scheme + (visit({ names: [name], value: credentials }) ?? credentials)
    }
    case 'cookie':
      return value
        .split(';')
        .map((pair) => rewritePair(pair, visit))
        .join(';')
    case 'set-cookie':
      return value.replace(/^[^;]*/, (pair) => rewritePair(pair, visit))
    default:
      return (
        visit({ names: isPublicHeader(name) ? [name] : ['secret', name], value }) ??
        rewriteText(value, { visit, budget })
      )
  }
}

/** The name of a cookie, `=`, and its value. */
function rewritePair(pair: string, visit: Visit): string {
  const at = pair.indexOf('=')
  if (at < 0) return pair
  const value = pair.slice(at + 1)
  return `${pair.slice(0, at)}=${visit({ names: ['cookie', pair.slice(0, at).trim()], value }) ?? value}`
}
