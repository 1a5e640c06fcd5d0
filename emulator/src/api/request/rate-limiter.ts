/** Applies rate limits to requests of the API: counts them, sets the headers, and responds with 429. */
import { headerText } from '../../foundation/header-text.js'
import type { Charge, LimitUse, Limits, Verdict } from '../../service/limits/limits.js'
import { LIMIT_SUBJECTS, type LimitName } from '../../service/limits/settings.js'
import type { Bearer } from '../../service/oauth/find-bearer.js'
import type { Clock } from '../../state/clock.js'
import type { BotCaller, UnknownCaller } from './caller.js'
import { exposeToNobody, hideFromPages } from './cors.js'
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** `open` is false when a limit refused the request; the response is then complete. */
interface LimitDecision {
  open: boolean
  uses: LimitUse[]
}

interface LimitedRequest {
  /** Method and path below the root of the API, like `POST /lobbies`. */
  route: string
  caller: BotCaller | Bearer | UnknownCaller
  response: ServerResponse
}

export type RateLimiter = (request: LimitedRequest) => LimitDecision

/** Requests of unknown callers count against no limit. */
export function createRateLimiter(limits: Limits, clock: Clock): RateLimiter {
  return ({ route, caller, response }) => {
    if (caller.kind === 'unknown') return { open: true, uses: [] }
    const verdict = limits.take(limitsForRequest(route, caller))
    setLimitHeaders(response, verdict, { limits, now: clock.now() })
    if (verdict.refused === undefined) return { open: true, uses: verdict.uses }
    refuse(response, verdict.refused, limits)
    return { open: false, uses: verdict.uses }
  }
}

/** Sets the headers of the exhausted limit, or of the fullest limit of the route. The global limit has no such headers. */
function setLimitHeaders(
  response: ServerResponse,
  { uses, refused }: Verdict,
  { limits, now }: { limits: Limits; now: number },
): void {
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
  const [first] = uses
    .filter(({ name }) => name !== 'global')
    .sort((one, other) => one.remaining - other.remaining)
  return first
}

function refuse(
  response: ServerResponse,
  { name, wait }: { name: LimitName; wait: number },
  limits: Limits,
): void {
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
  response.end(
    JSON.stringify({ message: 'You are being rate limited.', retry_after: retryAfter, global: isGlobal }),
  )
}

/** Blocks an address with too many refused requests, like an edge in front of the service. Returns true if it responded. */
export function blockAtEdge(request: IncomingMessage, response: ServerResponse, limits: Limits): boolean {
  const block = limits.blockOf(addressOf(request))
  if (block === undefined) return false
  if (block.headers === 'hidden') exposeToNobody(response)
  if (block.headers !== 'absent') response.setHeader('Retry-After', String(Math.ceil(block.wait / 1000)))
  const rule = `edge: at most ${block.limit} answers of 401, 403 and 429 in ${block.per / 1000} s for one address`
  response.setHeader('X-Emulator-Rule', rule)
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.statusCode = 429
  response.end(
    '<!doctype html><title>Blocked</title><h1>Too many requests</h1><p>This address is blocked for a while.</p>',
  )
  return true
}

/** Counts refused requests towards the block, except for shared limits. */
export function countAtEdge(request: IncomingMessage, response: ServerResponse, limits: Limits): void {
  if (![401, 403, 429].includes(response.statusCode) || response.getHeader('x-ratelimit-scope') === 'shared')
    return
  limits.countInvalid(addressOf(request))
}

function addressOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? ''
}

function seconds(ms: number): string {
  return (Math.ceil(ms) / 1000).toFixed(3)
}

/** Opaque id of the requests that are counted together. */
function bucketOf(name: LimitName): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32)
}

const ROUTES: readonly (readonly [route: RegExp, names: readonly LimitName[]])[] = [
  [/^POST \/lobbies$/, ['create_lobby']],
  [/^PUT \/lobbies$/, ['join_lobby', 'all_joins']],
  [/^GET \/lobbies\/[^/]+$/, ['get_lobby']],
  [/^PATCH \/lobbies\/[^/]+$/, ['edit_lobby']],
  [/^DELETE \/lobbies\/[^/]+$/, ['delete_lobby']],
  [/^POST \/lobbies\/[^/]+\/members\/bulk$/, ['update_lobby_members']],
  [/^POST \/lobbies\/[^/]+\/members\/@me\/invites$/, ['create_own_invite']],
  [/^POST \/lobbies\/[^/]+\/members\/[^/]+\/invites$/, ['create_invite']],
  [/^PUT \/lobbies\/[^/]+\/members\/[^/]+$/, ['add_lobby_member']],
  [/^DELETE \/lobbies\/[^/]+\/members\/(?!@me$)[^/]+$/, ['remove_lobby_member']],
  [/^PATCH \/lobbies\/[^/]+\/channel-linking$/, ['link_lobby']],
  [/^POST \/lobbies\/[^/]+\/messages$/, ['send_message', 'all_messages']],
]

/** Responses to interactions are not counted. */
const EXEMPT = /^[A-Z]+ \/(?:interactions|webhooks)\//

/** @param route like `POST /lobbies`, below the root of the API. */
function limitsForRequest(route: string, caller: BotCaller | Bearer): Charge[] {
  if (EXEMPT.test(route)) return []
  const { applicationId } = caller
  const [, own = []] = ROUTES.find(([pattern]) => pattern.test(route)) ?? []
  return [...own, 'global' as const].flatMap((name) => {
    if (LIMIT_SUBJECTS[name] === 'application') return [{ name, key: applicationId }]
    return caller.kind === 'bot' ? [] : [{ name, key: `${applicationId} ${caller.player.id}` }]
  })
}
