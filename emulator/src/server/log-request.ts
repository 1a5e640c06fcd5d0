/** A request from its arrival to its end, when it is written into the log. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FaultEffect } from '../faults/fault-rule.js'
import { faultKind } from '../faults/apply-fault.js'
import type { LimitUse } from '../limits/limits.js'
import type { RequestLog } from './request-log.js'

/** What is found out about it on the way is added. */
export interface ReceivedRequest {
  path: string
  log: RequestLog
  at: number
  effect?: FaultEffect | undefined
  uses?: LimitUse[]
}

export function logRequest(request: IncomingMessage, response: ServerResponse, arrival: ReceivedRequest): void {
  const started = performance.now()
  response.once('close', () => {
    const { path, log, at, effect, uses = [] } = arrival
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
