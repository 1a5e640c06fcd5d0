/** Requests of players for tickets. */
import type { Clock } from '../shared/foundation/clock'
import { requireRequest } from './requests/require-request'
import type { Player } from './players/player'
import { TICKET_LIFE } from './players/player-tickets'
import { respondToPlayerError } from './players/player-token-error'
import { RequestBudget } from './budget/request-budget'
import type { VerifyPlayer } from './create-player-verifier'

/** ms between two removals of full budgets. */
const SWEEP = 60_000
/** Any origin may call: a request proves itself by its token, never by a cookie. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after',
  'cache-control': 'no-store',
}
const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '86400',
}

export interface TicketHandlerParts {
  readonly clock: Clock
  readonly verify: VerifyPlayer
  readonly issue: (player: Player, purpose: string) => Promise<string>
  readonly purposes: ReadonlySet<string>
}

export function createTicketHandler(parts: TicketHandlerParts): (request: Request) => Promise<Response> {
  const budget = new RequestBudget(parts.clock)
  let sweepAt = 0
  const permit = ({ id }: Player): boolean => {
    const now = parts.clock.now()
    if (now >= sweepAt) budget.sweep()
    if (now >= sweepAt) sweepAt = now + SWEEP
    return budget.take(id)
  }
  return async (request) => {
    requireRequest(request)
    const response = await route(request, { ...parts, permit })
    for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value)
    return response
  }
}

async function route(
  request: Request,
  parts: TicketHandlerParts & { permit: (player: Player) => boolean },
): Promise<Response> {
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: PREFLIGHT })
  if (request.method !== 'POST') return refuse('method_not_allowed', 405, { allow: 'POST, OPTIONS' })
  const player = await parts.verify(request).catch(respondToPlayerError)
  if (player instanceof Response) return player
  const purpose = new URL(request.url).searchParams.get('purpose') ?? ''
  if (!parts.purposes.has(purpose)) return refuseUnknown(parts.purposes)
  if (!parts.permit(player)) return refuse('too_many_requests', 429, { 'retry-after': '5' })
  return parts.issue(player, purpose).then(toTicket, respondToPlayerError)
}

const toTicket = (ticket: string): Response => Response.json({ ticket, expires_in: TICKET_LIFE / 1000 })

/** Its own player has called, and so a page of the game. */
function refuseUnknown(purposes: ReadonlySet<string>): Response {
  const message = `unknown_purpose: name it in the address, for example ?purpose=${encodeURIComponent([...purposes][0] ?? '')}`
  return Response.json({ code: 'unknown_purpose', message }, { status: 400 })
}

const refuse = (code: string, status: number, headers: Record<string, string> = {}): Response =>
  Response.json({ code }, { status, headers })
