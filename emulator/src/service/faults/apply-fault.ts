/** Applies a fault to one request. */
import { setTimeout as wait } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import type { FaultEffect } from './faults.js'

/** Kind of a fault in the request log. */
export type FaultKind = 'dropped' | 'answer_lost' | 'replaced' | 'changed'

export function faultKind({ drop, lostAnswer, status, body }: FaultEffect): FaultKind {
  if (drop === true) return 'dropped'
  if (lostAnswer === true) return 'answer_lost'
  return status !== undefined || body !== undefined ? 'replaced' : 'changed'
}

/** @param proceed passes the request to the service. */
export async function applyFault(
  effect: FaultEffect,
  response: ServerResponse,
  proceed: () => void,
): Promise<void> {
  if (effect.delay !== undefined) await wait(effect.delay, undefined, { ref: false })
  if (response.destroyed) return
  const mark = faultKind(effect)
  if (mark === 'dropped') response.socket?.destroy()
  else if (mark === 'replaced') answer(effect, response)
  else {
    if (mark === 'answer_lost') loseAnswer(response)
    else if (effect.headers !== undefined) changeHeaders(response, effect.headers)
    proceed()
  }
}

function answer({ status = 200, headers = {}, body }: FaultEffect, response: ServerResponse): void {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  response.statusCode = status
  if (body !== undefined) response.setHeader('Content-Type', typeOf(body))
  setHeaders(response, headers)
  const promised = Number(response.getHeader('content-length') ?? 0)
  if (promised <= Buffer.byteLength(text)) response.end(text)
  else response.write(text, () => response.socket?.end())
}

function typeOf(body: unknown): string {
  if (typeof body !== 'string') return 'application/json'
  return body.trimStart().startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'
}

/** Discards everything that is written to the response, and closes the connection at its end. */
function loseAnswer(response: ServerResponse): void {
  response.flushHeaders = () => undefined
  response.write = () => true
  response.end = () => {
    response.socket?.destroy()
    return response
  }
}

/** Overrides headers just before the head is sent, after the service has set its own. */
function changeHeaders(response: ServerResponse, headers: Record<string, string | null>): void {
  const writeHead: unknown = Reflect.get(response, 'writeHead')
  if (typeof writeHead !== 'function') return
  Object.defineProperty(response, 'writeHead', {
    value: (status: number, ...rest: unknown[]) => {
      const given = rest.find((each) => typeof each === 'object' && each !== null)
      for (const [name, value] of Object.entries(given ?? {})) response.setHeader(name, value)
      setHeaders(response, headers)
      return writeHead.call(response, status)
    },
  })
}

function setHeaders(response: ServerResponse, headers: Record<string, string | null>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) response.removeHeader(name)
    else response.setHeader(name, value)
  }
}
