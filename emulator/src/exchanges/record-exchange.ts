/** Records a request and its response as they pass, without reading or changing either. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BodyRecord } from './body-record.js'

export type Header = [name: string, value: string]

/** What was received and sent. Contains secrets. */
export interface Exchange {
  readonly method: string
  /** Path and query, as they were sent. */
  readonly target: string
  readonly version: string
  readonly requestHeaders: Header[]
  readonly request: BodyRecord
  readonly response: BodyRecord
  /** Status line and headers as they were sent; empty until then. */
  readonly head: string[]
}

const exchanges = new WeakMap<IncomingMessage, Exchange>()

export function exchangeOf(request: IncomingMessage): Exchange | undefined {
  return exchanges.get(request)
}

/** Begins to record. Call it when the request arrives: what a body's first packet brought is passed on before the next task. */
export function recordExchange(request: IncomingMessage, response: ServerResponse): void {
  const { method = '', url = '/', httpVersion: version, rawHeaders } = request
  const exchange: Exchange = {
    method,
    target: url,
    version,
    requestHeaders: pairsOf(rawHeaders),
    request: new BodyRecord(),
    response: new BodyRecord(),
    head: [],
  }
  exchanges.set(request, exchange)
  recordRequest(request, exchange)
  for (const name of ['write', 'end']) recordResponse(response, name, exchange)
}

/** Node pushes each chunk into the stream, whether or not anything reads it. */
function recordRequest(request: IncomingMessage, { request: body }: Exchange): void {
  const push = request.push.bind(request)
  request.push = (chunk: unknown, encoding) => {
    body.add(chunk, encoding)
    return push(chunk, encoding)
  }
}

function recordResponse(
  response: ServerResponse,
  name: string,
  { method, response: body, head }: Exchange,
): void {
  const send: unknown = Reflect.get(response, name)
  if (typeof send !== 'function') return
  const value = (...given: unknown[]): unknown => {
    const result: unknown = Reflect.apply(send, response, given)
    if (head.length === 0) head.push(...headOf(response))
    if (body.isEmpty && head.some((line) => /^content-type:\s*text\/event-stream/i.test(line)))
      body.refuse('stream')
    if (method !== 'HEAD') body.add(given[0], given[1])
    return result
  }
  Object.defineProperty(response, name, { value, writable: true, configurable: true })
}

/** Node keeps the head that it sent, with the headers that it added, under this name. */
export function headOf(response: ServerResponse): string[] {
  const head: unknown = Reflect.get(response, '_header')
  return typeof head === 'string' ? head.split('\r\n').filter((line) => line !== '') : []
}

function pairsOf(raw: readonly string[]): Header[] {
  return raw.flatMap((name, index): Header[] => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []))
}
