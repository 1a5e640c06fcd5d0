/** The port that carries one request of the REST interface to the service, and `fetch` as the one that is always there. */
import { ProtocolError } from '../foundation/errors'
import type { Fetch } from './request'

/** The largest answer that is read, in characters: room for every command that a scope may hold. */
export const MAX_BODY = 32 * 1024 * 1024

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface TransportRequest {
  readonly method: Method
  readonly url: string
  /** The route as it may stand in an error, without host or ids: `GET /lobbies/{lobby.id}`. */
  readonly route: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON; null for no body. */
  readonly body: string | null
}

export interface TransportAnswer {
  readonly status: number
  /** A header by its name in lower case; null when it is absent or hidden. */
  readonly header: (name: string) => string | null
  /** The whole body; empty when there was none. */
  readonly text: string
}

/** A request that is under way. */
export interface Transfer {
  /** Rejects when no answer comes. An error whose `code` says that no connection was made makes a request safe to send again. */
  readonly answer: Promise<TransportAnswer>
  /** Nobody waits for the answer any more. */
  readonly abort: () => void
}

/**
 * Sends a request once and reads its whole answer, whatever its status. Follows no redirect, keeps no cookie, reads 32 MiB at the most.
 * Never throws.
 */
export type Transport = (request: TransportRequest) => Transfer

export function fetchTransport(fetch: Fetch): Transport {
  return (request) => {
    const controller = new AbortController()
    return { answer: send(fetch, request, controller.signal), abort: () => controller.abort() }
  }
}

async function send(fetch: Fetch, { url, route, method, headers, body }: TransportRequest, signal: AbortSignal): Promise<TransportAnswer> {
  const init: RequestInit = { method, headers, body, signal, redirect: 'error', credentials: 'omit', cache: 'no-store' }
  const response = await fetch(url, init)
  return { status: response.status, header: (name) => response.headers.get(name), text: await readText(response, route) }
}

function readText(response: Response, route: string): Promise<string> {
  const { headers } = response
  const length = headers.get('content-length')
  // The platform's own way is the fastest, and is safe where the size is known beforehand.
  const isShort = length !== null && Number(length) <= MAX_BODY && !headers.has('content-encoding')
  return isShort ? response.text() : readPieces(response, route)
}

async function readPieces(response: Response, route: string): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) return text
    text += decoder.decode(value, { stream: true })
    if (text.length <= MAX_BODY) continue
    void reader?.cancel()
    throw new ProtocolError('response_too_large', route)
  }
}
