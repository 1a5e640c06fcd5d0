/** Logs a request when its response is complete. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FaultEffect } from '../faults/fault-rule.js'
import { faultKind } from '../faults/apply-fault.js'
import type { LimitUse } from '../limits/limits.js'
import type { RequestLog } from './request-log.js'

/** A request in progress; handlers add `effect` and `uses`. */
export interface ReceivedRequest {
  path: string
  log: RequestLog
  at: number
  effect?: FaultEffect | undefined
  uses?: LimitUse[]
}

const received = new WeakMap<IncomingMessage, ReceivedRequest>()

/** Adds the limits that a request was counted against to its log entry. */
export function setLimitUses(request: IncomingMessage, uses: LimitUse[]): void {
  const entry = received.get(request)
  if (entry !== undefined) entry.uses = uses
}

export function logRequest(request: IncomingMessage, response: ServerResponse, entry: ReceivedRequest): void {
  received.set(request, entry)
  const started = performance.now()
  response.once('close', () => {
    const { path, log, at, effect, uses = [] } = entry
    const fault = effect && faultKind(effect)
    const rule = response.getHeader('x-emulator-rule')
    const advice = response.getHeader('x-emulator-advice')
    log.add({
      method: request.method ?? '',
      path,
      status: response.headersSent || fault === 'answer_lost' ? response.statusCode : 0,
      ms: Math.round((performance.now() - started) * 10) / 10,
      at,
      ...(rule === undefined ? {} : { rule: String(rule) }),
      ...(advice === undefined ? {} : { advice: String(advice) }),
      ...(fault === undefined ? {} : { fault }),
      ...(uses.length === 0 ? {} : { limits: uses }),
    })
  })
}
