/** Reads a recorded exchange: its messages as they were sent, and its tokens decoded. Contains secrets. */
import type { Exchange, Header } from './record-exchange.js'
import type { BodyRecord } from './body-record.js'
import type { ExchangeView, ShownMessage, ShownToken } from './exchange-view.js'
import { visitMessage } from './rewrite-message.js'

export function viewExchange(exchange: Exchange): ExchangeView {
  const messages = readMessages(exchange)
  const { request, response } = messages
  return { ...messages, tokens: [request, ...(response === undefined ? [] : [response])].flatMap(tokensIn) }
}

/** Reads the messages alone, which takes less time than to look for tokens. */
export function readMessages(exchange: Exchange): Pick<ExchangeView, 'request' | 'response'> {
  const { method, target, version, requestHeaders, request, response, head } = exchange
  const [line, ...lines] = head
  const sent = shown(`${method} ${target} HTTP/${version}`, requestHeaders, request)
  return line === undefined
    ? { request: sent }
    : { request: sent, response: shown(line, lines.map(headerIn), response) }
}

function shown(line: string, headers: Header[], body: BodyRecord): ShownMessage {
  const find = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
  return {
    line,
    headers,
    body: body.show({ type: find('content-type'), encoding: find('content-encoding') }),
  }
}

function headerIn(line: string): Header {
  const at = line.indexOf(':')
  return [line.slice(0, at), line.slice(at + 1).trim()]
}

const JWT = /(?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*/

/** Each token once, by the name of the first field that has it. */
function tokensIn(message: ShownMessage): ShownToken[] {
  const found = new Map<string, ShownToken>()
  visitMessage(message, ({ names, value }) => {
    const encoded = JWT.exec(value)?.[0]
    const token =
      encoded === undefined || found.has(encoded) ? undefined : decodeToken(encoded, names.at(-1) ?? 'token')
    if (token) found.set(token.encoded, token)
    return undefined
  })
  return [...found.values()]
}

/** Returns undefined for a token whose parts are no JSON objects. */
function decodeToken(encoded: string, name: string): ShownToken | undefined {
  try {
    const [header, claims] = encoded
      .split('.', 2)
      .map((part): unknown => JSON.parse(Buffer.from(part, 'base64url').toString()))
    if (typeof claims !== 'object' || claims === null) return undefined
    const expiresAt: unknown = Reflect.get(claims, 'exp')
    return {
      name,
      encoded,
      header: JSON.stringify(header, undefined, 2),
      claims: JSON.stringify(claims, undefined, 2),
      ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
    }
  } catch {
    return undefined
  }
}
