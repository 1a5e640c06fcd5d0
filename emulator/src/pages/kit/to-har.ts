/** Exchanges as an HTTP Archive 1.2, which browsers and other tools open. */

type Pairs = readonly (readonly [name: string, value: string])[]

interface HarMessage {
  headers: Pairs
  /** Absent without a body, or if it was not kept. */
  body?: { type: string; text: string; params?: Pairs } | undefined
}

export interface HarExchange {
  method: string
  url: string
  query: Pairs
  /** Epoch ms. */
  startedAt: number
  /** Milliseconds. */
  duration: number
  request: HarMessage
  /** Absent if no response arrived. */
  response?: (HarMessage & { status: number; statusText: string }) | undefined
  /** Remark of whoever saved it. */
  comment?: string | undefined
}

/** @param creator name of the program that saves the archive. */
export function toHar(creator: string, exchanges: readonly HarExchange[]): string {
  const entries = exchanges.map(entryOf)
  return JSON.stringify(
    { log: { version: '1.2', creator: { name: creator, version: '0.1.0' }, entries } },
    null,
    2,
  )
}

const named = (pairs: Pairs) => pairs.map(([name, value]) => ({ name, value }))

/** Sizes that are not known are -1. */
const MESSAGE = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 }

function entryOf({ method, url, query, startedAt, duration, request, response, comment }: HarExchange) {
  const { body } = request
  const postData =
    body &&
    (body.params
      ? { mimeType: body.type, params: named(body.params) }
      : { mimeType: body.type, text: body.text })
  const text = response?.body?.text ?? ''
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: duration,
    request: {
      ...MESSAGE,
      method,
      url,
      headers: named(request.headers),
      queryString: named(query),
      ...(postData && { postData }),
    },
    response: {
      ...MESSAGE,
      status: response?.status ?? 0,
      statusText: response?.statusText ?? '',
      headers: named(response?.headers ?? []),
      content: { size: text.length, mimeType: response?.body?.type ?? '', text },
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    ...(comment !== undefined && { comment }),
  }
}
