/** Stands before the API: counts each request, tells it in headers how full its limit is, and answers in the place of the service when it is. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../foundation/clock.js'
import type { Authenticate } from '../auth/authenticate.js'
import { exposeToNobody, hideFromPages } from '../api/cors.js'
import { headerText } from '../foundation/header-text.js'
import { limitsForRequest } from './limits-for-request.js'
import type { Limits, LimitUse, Verdict } from './limits.js'
import type { LimitName } from './settings.js'

/** Whether the request may go on, and how full its limits are. */
export interface LimitDecision {
  open: boolean
  uses: LimitUse[]
}

interface RateLimitMiddlewareOptions {
  limits: Limits
  authenticate: Authenticate
  clock: Clock
}

/** @param path below the root of the API. */
export type RateLimitMiddleware = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<LimitDecision>

export function createRateLimitMiddleware({ limits, authenticate, clock }: RateLimitMiddlewareOptions): RateLimitMiddleware {
  return async (request, response, path) => {
    const caller = await authenticate(request.headers.authorization)
    if (caller.kind === 'stranger') return { open: true, uses: [] }
    const verdict = limits.take(limitsForRequest(`${request.method ?? ''} ${path}`, caller))
    tell(response, verdict, { limits, now: clock.now() })
    if (verdict.refused === undefined) return { open: true, uses: verdict.uses }
    refuse(response, verdict.refused, limits)
    return { open: false, uses: verdict.uses }
  }
}

/** The limit of the route itself, the fullest when there are two, or the one that refuses. The global one has no headers of this kind. */
function tell(response: ServerResponse, { uses, refused }: Verdict, { limits, now }: { limits: Limits; now: number }): void {
  const speaking = refused === undefined ? fullest(uses) : uses.find(({ name }) => name === refused.name)
  if (speaking === undefined) return
  const mode = limits.headersOf(speaking.name)
  if (mode === 'hidden') hideFromPages(response)
  if (mode === 'absent' || speaking.name === 'global') return
  const { name, limit, remaining, resetAfter } = speaking
  response.setHeader('X-RateLimit-Limit', String(limit))
  response.setHeader('X-RateLimit-Remaining', String(remaining))
  response.setHeader('X-RateLimit-Reset', seconds(now + resetAfter))
  response.setHeader('X-RateLimit-Reset-After', seconds(resetAfter))
  response.setHeader('X-RateLimit-Bucket', bucketOf(name))
}

function fullest(uses: LimitUse[]): LimitUse | undefined {
  const [first] = uses.filter(({ name }) => name !== 'global').sort((one, other) => one.remaining - other.remaining)
  return first
}

function refuse(response: ServerResponse, { name, wait }: { name: LimitName; wait: number }, limits: Limits): void {
  const isGlobal = name === 'global'
  const retryAfter = Math.ceil(wait) / 1000
  response.statusCode = 429
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('X-Emulator-Rule', headerText(limits.figuresOf(name)))
  if (limits.headersOf(name) !== 'absent') {
    response.setHeader('Retry-After', String(Math.ceil(retryAfter)))
    response.setHeader('X-RateLimit-Scope', isGlobal ? 'global' : 'user')
    if (isGlobal) response.setHeader('X-RateLimit-Global', 'true')
  }
  response.end(JSON.stringify({ message: 'You are being rate limited.', retry_after: retryAfter, global: isGlobal }))
}

/** An address that got too many refusals meets the edge, which knows nothing of the service. True when it answered. */
export function blockAtEdge(request: IncomingMessage, response: ServerResponse, limits: Limits): boolean {
  const block = limits.blockOf(addressOf(request))
  if (block === undefined) return false
  if (block.headers === 'hidden') exposeToNobody(response)
  if (block.headers !== 'absent') response.setHeader('Retry-After', String(Math.ceil(block.wait / 1000)))
  const rule = `edge: at most ${block.limit} answers of 401, 403 and 429 in ${block.per / 1000} s for one address`
  response.setHeader('X-Emulator-Rule', rule)
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.statusCode = 429
  response.end('<!doctype html><title>Blocked</title><h1>Too many requests</h1><p>This address is blocked for a while.</p>')
  return true
}

/** What went wrong counts towards the block, except for a limit that others share. */
export function countAtEdge(request: IncomingMessage, response: ServerResponse, limits: Limits): void {
  if (![401, 403, 429].includes(response.statusCode) || response.getHeader('x-ratelimit-scope') === 'shared') return
  limits.countInvalid(addressOf(request))
}

function addressOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? ''
}

function seconds(ms: number): string {
  return (Math.ceil(ms) / 1000).toFixed(3)
}

/** Says which requests are counted together, and nothing else. */
function bucketOf(name: LimitName): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32)
}
