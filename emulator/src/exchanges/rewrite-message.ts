/** Walks through every value of a message: its query, headers and body. */
import type { Header } from './record-exchange.js'
import type { ShownMessage } from './exchange-view.js'
import type { Visit } from './rewrite-json.js'
import { rewriteForm, rewriteText } from './rewrite-text.js'

/** Calls for each value; changes nothing. */
export function visitMessage(message: ShownMessage, visit: Visit): void {
  rewriteMessage(message, (field) => void visit(field))
}

export function rewriteMessage({ line, headers, body }: ShownMessage, visit: Visit): ShownMessage {
  const { text, type } = body
  return {
    line: rewriteLine(line, visit),
    headers: headers.map((header): Header => [header[0], rewriteHeader(header, visit)]),
    body: text === undefined ? body : { ...body, text: rewriteText(text, { visit, type }) },
  }
}

/** The query of a request line is a form. */
function rewriteLine(line: string, visit: Visit): string {
  const [, before = line, query = '', after = ''] = /^(\S+ [^\s?]*\?)(\S*)( HTTP\/\S+)$/.exec(line) ?? []
  const within: Visit = (field) => visit(field) ?? inside(field.value, visit)
  return before + rewriteForm(query, within) + after
}

function rewriteHeader([name, value]: Header, visit: Visit): string {
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
      return visit({ names: [name], value }) ?? rewriteText(value, { visit })
  }
}

/** The name of a cookie, `=`, and its value. */
function rewritePair(pair: string, visit: Visit): string {
  const at = pair.indexOf('=')
  if (at < 0) return pair
  const value = pair.slice(at + 1)
  return `${pair.slice(0, at)}=${visit({ names: ['cookie', pair.slice(0, at).trim()], value }) ?? value}`
}

function inside(value: string, visit: Visit): string | undefined {
  const rewritten = rewriteText(value, { visit, depth: 1 })
  return rewritten === value ? undefined : rewritten
}
