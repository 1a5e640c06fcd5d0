/** One bounded exchange of the REST interface: a deadline that covers the body, a cap on its size, any JSON, or none. */
// Beside `request.ts`, which every game loads and which therefore does only what signing in needs.
import { ProtocolError } from '../foundation/errors'
import { type HttpContext, type HttpRequest, withinDeadline } from './request'

/** The largest answer that is read, in characters: room for every command that a scope may hold. */
const MAX_BODY = 32 * 1024 * 1024

export interface Exchanged {
  status: number
  headers: Headers
  /** Undefined for no body, and for one that is no JSON. */
  body: unknown
}

/**
 * Sends a request and reads its whole answer, whatever its status.
 * @throws NetworkError `timed_out`, `aborted`, `connection_failed`. @throws ProtocolError `response_too_large`.
 */
export function exchange(
  context: HttpContext,
  request: Pick<HttpRequest, 'url' | 'route' | 'timeout' | 'signal'>,
  init: RequestInit,
): Promise<Exchanged> {
  return withinDeadline(context, request, async (signal) => {
    const response = await context.fetch(request.url, { ...init, signal })
    const { status, headers } = response
    return { status, headers, body: parse(await readText(response, request.route)) }
  })
}

async function readText(response: Response, route: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) return text
    text += value
    if (text.length <= MAX_BODY) continue
    void reader?.cancel()
    throw new ProtocolError('response_too_large', route)
  }
}

/** The parser's own error is dropped: it quotes the body. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
