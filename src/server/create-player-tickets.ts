/** Tickets with which players prove who they are to a game's own server, such as Colyseus or socket.io. */
import { type Clock, systemClock } from '../shared/foundation/clock'
import { ConfigurationError, FoyerError, NetworkError } from '../shared/foundation/errors'
import { VARIABLE_REMEDY, toApplicationId, requireId } from '../shared/foundation/ids'
import { takePort, takeOptions } from '../shared/foundation/take-options'
import { requireRecord, createTyped } from '../shared/foundation/options'
import { memoryLobbyBroker } from './hub/memory-lobby-broker'
import type { Player } from './players/player'
import {
  createTicket,
  redeemTicket,
  type TicketOwner,
  type TicketScope,
  type TicketStore,
} from './players/player-tickets'
import { PlayerTokenError } from './players/player-token-error'
import { takeVerify, type VerifyPlayer } from './create-player-verifier'
import { createTicketHandler } from './ticket-handler'
import { storeReport } from './keys/store-report'
import { toBeAwaited } from './requests/to-be-awaited'
import { requireBackend } from './require-backend'
import { ownFields } from '../shared/foundation/untrusted-values'

/** Options of `createPlayerTickets`. */
export interface PlayerTicketsOptions {
  /** Application id, as a decimal string or a bigint: tickets of other applications are refused, also in the same store. */
  applicationId: string | bigint
  /** Verifies the player of a request, from `createPlayerVerifier`. */
  verify: VerifyPlayer
  /** Purposes of tickets, for example `['match', 'chat']`: a ticket for one is refused by all others. */
  purposes: readonly string[]
  /** Connects several processes, for example `redisStore(redis)`, or the broker of a lobby hub. Default: memory, for one process. */
  store?: TicketStore | undefined
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
}

/** Use of a ticket. */
export interface TicketUse {
  /** One of `purposes`. */
  purpose: string
  /** Only the ticket of this player is accepted; that of another one is used up. Default: any player's. */
  playerId?: string | undefined
}

/** Endpoint for `fetchTicket` of the game, and the functions of a server that admits its players. */
export interface PlayerTickets {
  /** Handles a request: `POST ?purpose=match` with the player's token returns `{ ticket, expires_in: 30 }`. Pages of any origin may call. */
  (request: Request): Promise<Response>
  /** Creates a ticket for a player that your backend has verified by other means. @throws NetworkError without the store. */
  issue(player: TicketOwner, purpose: string): Promise<string>
  /**
   * Resolves with the player of a ticket, as the player's client has sent it: of any type and content. It cannot be used again.
   *
   * @throws PlayerTokenError `ticket_rejected` if it is unknown, was used before, is older than 30 s, or belongs to another purpose,
   * application or player.
   * @throws NetworkError `connection_failed` (retryable) without the store.
   * @throws ConfigurationError `invalid_argument` for a purpose that is not among `purposes`.
   */
  redeem(ticket: unknown, use: TicketUse): Promise<Player>
}

const OPTIONS: readonly (keyof PlayerTicketsOptions)[] = [
  'applicationId',
  'verify',
  'purposes',
  'store',
  'clock',
]
const STORE = { name: 'store', methods: ['put', 'take'], example: 'redisStore(new Redis(url))' }

/**
 * Creates tickets for a game's own server. A page cannot send a header with a WebSocket, and a token does not belong into a URL or a message
 * that other software logs. The game exchanges its token for a ticket, which is valid for one connection within 30 s.
 *
 * @throws ConfigurationError `invalid_argument`; `unsupported` in a page.
 * @example
 * ```ts
 * const tickets = createPlayerTickets({ applicationId, verify, purposes: ['match'] })
 * createServer(toNodeListener(tickets)).listen(8080) // the game: await client.backend.fetchTicket('/tickets?purpose=match')
 *
 * io.use((socket, next) => {
 *   tickets.redeem(socket.handshake.auth.ticket, { purpose: 'match' }).then((player) => {
 *     socket.data.player = player
 *     next()
 *   }, next)
 * })
 * ```
 */
export function createPlayerTickets(options: PlayerTicketsOptions): PlayerTickets {
  return createTyped('createPlayerTickets', () => {
    requireBackend()
    const given = takeOptions(options, OPTIONS)
    const applicationId = toApplicationId(given.applicationId)
    if (!applicationId)
      throw new ConfigurationError('invalid_argument', 'applicationId', { remedy: VARIABLE_REMEDY })
    const { clock = systemClock } = given
    const verify = takeVerify(given.verify, clock)
    const store =
      takePort(given.store, { ...STORE, onFailure: storeReport('store of createPlayerTickets') }, clock) ??
      memoryLobbyBroker({ clock })
    const purposes = new Set(requirePurposes(given.purposes))
    const scopeOf = (purpose: string): TicketScope => {
      if (!purposes.has(purpose))
        throw new ConfigurationError('invalid_argument', `purpose: one of ${[...purposes].join(', ')}`)
      return { store, applicationId, purpose }
    }
    const issue: PlayerTickets['issue'] = async (player, purpose) => {
      const owner = createTyped('player', () => requireOwner(player))
      return withStore(createTicket(scopeOf(purpose), owner))
    }
    const handler = createTicketHandler({ clock, verify, issue, purposes })
    const redeem: PlayerTickets['redeem'] = async (ticket, use) => {
      const { purpose, playerId } = createTyped('use', () => ownFields({ ...use }))
      const player = await withStore(redeemTicket(scopeOf(purpose), ticket))
      if (!player || (playerId !== undefined && player.id !== playerId))
        throw new PlayerTokenError('ticket_rejected')
      return player
    }
    return Object.assign(handler, {
      issue,
      redeem: (ticket: unknown, use: TicketUse) =>
        toBeAwaited(redeem(ticket, use), 'tickets.redeem(ticket, { purpose })'),
    })
  })
}

/** Read once: what a getter returns later is not what was checked. */
function requireOwner(given: TicketOwner): TicketOwner {
  requireRecord(given, 'player')
  const { id, username, globalName, expiresAt } = given
  requireId(id, 'player.id')
  if (!Number.isFinite(expiresAt))
    throw new ConfigurationError('invalid_argument', 'player.expiresAt: epoch ms')
  for (const [name, text] of Object.entries({ username, globalName }))
    if (text !== undefined && text !== null && typeof text !== 'string')
      throw new ConfigurationError('invalid_argument', `player.${name}: a text`, {
        remedy: "Pass a string, for example 'ada', or leave it out",
      })
  return { id, username, globalName, expiresAt }
}

function requirePurposes(given: unknown): readonly string[] {
  const isList =
    Array.isArray(given) && given.length > 0 && given.every((name) => typeof name === 'string' && name !== '')
  if (isList) return given
  throw new ConfigurationError('invalid_argument', 'purposes', {
    remedy: "Pass a list of names, for example ['match']",
  })
}

/** Without the store nothing is known about a ticket: refused, and worth another attempt. */
async function withStore<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof FoyerError && error.retryable) throw error
    throw new NetworkError('connection_failed', 'the store of tickets', { cause: error })
  }
}
