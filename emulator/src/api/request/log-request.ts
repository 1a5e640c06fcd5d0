/** Logs a request when its response is complete. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { exchangeOf, headOf } from '../../exchanges/record-exchange.js'
import type { FaultEffect } from '../../service/faults/faults.js'
import type { RequestSender } from '../../exchanges/request-senders.js'
import { faultKind } from '../../service/faults/apply-fault.js'
import type { LimitUse } from '../../service/limits/limits.js'
import type { Player } from '../../state/seed/seed.js'
import type { LoggedRequest, RequestLog } from './request-log.js'

/** A request in progress; handlers add `effect`, `uses` and `sender`. */
export interface ReceivedRequest {
  path: string
  log: RequestLog
  at: number
  effect?: FaultEffect | undefined
  uses?: LimitUse[]
  sender?: RequestSender
}

/** Inspector, chat and their files. The pages of a sign-in are the service's, and are none of these. */
const OWN_PAGES = /^\/(?:inspector|assets|chat|avatars|embed\/avatars)(?:\/|$)|^\/$/

const received = new WeakMap<IncomingMessage, ReceivedRequest>()

/** Adds the limits that a request was counted against to its log entry. */
export function setLimitUses(request: IncomingMessage, uses: LimitUse[]): void {
  const entry = received.get(request)
  if (entry !== undefined) entry.uses = uses
}

/** Adds who sent a request to its log entry. */
export function setSender(request: IncomingMessage, sender: RequestSender): void {
  const entry = received.get(request)
  if (entry !== undefined) entry.sender = sender
}

/** The sender that a player is. */
export function playerSender({
  id,
  username,
  globalName,
}: Pick<Player, 'id' | 'username' | 'globalName'>): RequestSender {
  return { kind: 'player', id, name: globalName ?? username, username }
}

export function logRequest(request: IncomingMessage, response: ServerResponse, entry: ReceivedRequest): void {
  received.set(request, entry)
  const isOwnPage = OWN_PAGES.test(entry.path)
  const exchange = exchangeOf(request)
  if (isOwnPage) for (const body of [exchange?.request, exchange?.response]) body?.refuse('page')
  const started = performance.now()
  response.once('close', () => {
    const { path, log, at, effect, uses = [], sender } = entry
    // A response may end after its head alone.
    if (exchange?.head.length === 0) exchange.head.push(...headOf(response))
    const fault = effect && faultKind(effect)
    const rule = response.getHeader('x-emulator-rule')
    const advice = response.getHeader('x-emulator-advice')
    const logged: LoggedRequest = {
      method: request.method ?? '',
      path,
      status: response.headersSent || fault === 'answer_lost' ? response.statusCode : 0,
      ms: Math.round((performance.now() - started) * 10) / 10,
      at,
      ...(sender === undefined ? {} : { sender }),
      ...(sender?.username === undefined ? {} : { player: sender.username }),
      ...(isOwnPage ? { ownPage: true } : {}),
      ...(rule === undefined ? {} : { rule: String(rule) }),
      ...(advice === undefined ? {} : { advice: String(advice) }),
      ...(fault === undefined ? {} : { fault }),
      ...(uses.length === 0 ? {} : { limits: uses }),
    }
    log.add(logged, exchange)
  })
}
