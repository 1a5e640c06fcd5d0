/** Requests of players to a lobby hub: streams, reports of changes, and tickets. */
import type { Clock } from '../../shared/foundation/clock'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { isSnowflake } from '../../shared/foundation/ids'
import { requireRequest } from '../requests/require-request'
import { readBody } from '../interactions/read-body'
import type { Player } from '../players/player'
import { createTicket, redeemTicket, TICKET_LIFE, type TicketScope } from '../players/player-tickets'
import { respondToPlayerError } from '../players/player-token-error'
import type { ConnectLimit } from './connect-limit'
import type { LobbyHubProcess } from './lobby-hub-process'

/** Maximum bytes of a report. */
const MAX_BODY = 4096
/** Maximum number of lobbies that a client may name when it connects. */
const MAX_CLAIMED = 16

/** Any origin may call: a request proves itself by its token, never by a cookie. */
const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after' }
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, last-event-id',
  'access-control-max-age': '86400',
}

export interface HubRequestParts {
  readonly clock: Clock
  readonly hub: LobbyHubProcess
  /** Tickets for streams. */
  readonly tickets: TicketScope
  readonly verify: (request: Request) => Promise<Player>
  /** Maximum number of streams of this process. */
  readonly maxStreams: number
  /** New streams per second of this process. */
  readonly connects: ConnectLimit
  /** True after the hub was closed. */
  readonly isClosed: () => boolean
}

export async function handleHubRequest(request: Request, parts: HubRequestParts): Promise<Response> {
  requireRequest(request)
  const response = await route(request, parts)
  for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value)
  return response
}

async function route(request: Request, parts: HubRequestParts): Promise<Response> {
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: PREFLIGHT })
  // Another process may be running, or this one starts again.
  if (parts.isClosed()) return refuse('hub_closed', 503, { 'retry-after': '1' })
  if (request.method === 'GET') return openStream(request, parts)
  if (request.method === 'POST') return receiveReport(request, parts)
  return refuse('method_not_allowed', 405, { allow: 'GET, POST, OPTIONS' })
}

async function openStream(request: Request, parts: HubRequestParts): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const player = await identify(request, { ...parts, ticket: searchParams.get('ticket') })
  if (player instanceof Response) return player
  if (parts.isClosed()) return refuse('hub_closed', 503, { 'retry-after': '1' })
  const claimed = (searchParams.get('lobbies') ?? '').split(',').filter(isSnowflake).slice(0, MAX_CLAIMED)
  const { hub, maxStreams, connects } = parts
  if (!hub.permit(player)) return refuse('too_many_requests', 429, { 'retry-after': '5' })
  if (hub.streams >= maxStreams) return refuse('too_many_streams', 503, { 'retry-after': '5' })
  // After the token and the player's own budget: who has neither cannot use up the rate of all.
  const seconds = connects.take()
  if (seconds > 0) return refuse('too_many_connects', 503, { 'retry-after': String(seconds) })
  if (!hub.permit(player, claimed.length)) return refuse('too_many_requests', 429, { 'retry-after': '5' })
  return hub.connect(player, claimed) ?? refuse('too_many_streams', 429, { 'retry-after': '30' })
}

async function receiveReport(request: Request, parts: HubRequestParts): Promise<Response> {
  const { clock, hub, tickets } = parts
  const player = await identify(request, { ...parts, ticket: null })
  if (player instanceof Response) return player
  if (!hub.permit(player)) return refuse('too_many_requests', 429, { 'retry-after': '5' })
  const report = await readReport(request, clock)
  if (report === 'ticket') return issueTicket(tickets, player)
  if (!report) return refuse('invalid_body', 400)
  // The read continues after the response, which discloses nothing about the lobby.
  hub.announce(player, report).catch(() => undefined)
  return new Response(null, { status: 202 })
}

async function identify(
  request: Request,
  { tickets, verify, ticket }: HubRequestParts & { ticket: string | null },
): Promise<Player | Response> {
  if (ticket === null) return verify(request).catch(respondToPlayerError)
  try {
    return (await redeemTicket(tickets, ticket)) ?? refuse('ticket_rejected', 401)
  } catch {
    return refuseWithoutBroker()
  }
}

async function issueTicket(tickets: TicketScope, player: Player): Promise<Response> {
  const headers = { 'cache-control': 'no-store' }
  try {
    return Response.json(
      { ticket: await createTicket(tickets, player), expires_in: TICKET_LIFE / 1000 },
      { headers },
    )
  } catch {
    return refuseWithoutBroker()
  }
}

/** Tickets need the broker: without it another process would not know them. */
const refuseWithoutBroker = (): Response => refuse('broker_unavailable', 503, { 'retry-after': '1' })

async function readReport(
  request: Request,
  clock: Clock,
): Promise<{ lobbyId: string; messageId?: string } | 'ticket' | undefined> {
  const body = await readBody(request, MAX_BODY, clock)
  const report = typeof body === 'string' ? undefined : parse(body.bytes)
  if (!isRecord(report)) return undefined
  const { type, lobby_id: lobbyId, message_id: messageId } = report
  if (type === 'ticket') return 'ticket'
  if (!isSnowflake(lobbyId)) return undefined
  if (type === 'changed') return { lobbyId }
  return type === 'message' && isSnowflake(messageId) ? { lobbyId, messageId } : undefined
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

const refuse = (code: string, status: number, headers: Record<string, string> = {}): Response =>
  Response.json({ code }, { status, headers })
