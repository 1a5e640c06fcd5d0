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
      const [, scheme = '', credentials = ''] = /^(\w+\s+)?(.*)$/s.exec(value) ?? []
      return scheme + (visit({ names: [name], value: credentials }) ?? credentials)
    }
    case 'cookie':
      return value.replaceAll(/([^=;]*)=([^;]*)/g, (_all, key: string, given: string) => `${key}=${rewriteCookie(key, given, visit)}`)
    case 'set-cookie':
      return value.replace(/^([^=;]*)=([^;]*)/, (_all, key: string, given: string) => `${key}=${rewriteCookie(key, given, visit)}`)
    default:
      return visit({ names: [name], value }) ?? rewriteText(value, { visit })
  }
}

function rewriteCookie(name: string, value: string, visit: Visit): string {
  return visit({ names: ['cookie', name.trim()], value }) ?? value
}

function inside(value: string, visit: Visit): string | undefined {
  const rewritten = rewriteText(value, { visit, depth: 1 })
  return rewritten === value ? undefined : rewritten
}
