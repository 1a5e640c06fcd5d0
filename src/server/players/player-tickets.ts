/** Tickets of players: random, valid for 30 s and for one use, bound to application, purpose and player, stored by their hash. */
import { base64url, randomText, sha256 } from '../../shared/foundation/crypto'
import { isUserId } from '../../shared/foundation/ids'
import type { Optional } from '../../shared/foundation/options'
import { type StoreKey, storeKey } from '../keys/store-key'
import { isRecord, isText, readJson } from '../../shared/foundation/untrusted-values'
import { namesOf, type Player } from './player'

/** ms from its creation to its end. */
export const TICKET_LIFE = 30_000
const TICKET = /^[\w-]{43}$/

/**
 * Store of tickets, shared by all processes that issue and redeem them: `redisStore(redis)`, or the broker of a lobby hub. Durations are in
 * ms.
 */
export interface TicketStore {
  /** Stores a text. */
  put(key: StoreKey, text: string, ttl: number): Promise<void>
  /** Removes a text and returns it. Must be atomic: of two concurrent calls, one receives it. */
  take(key: StoreKey): Promise<string | undefined>
}

/** The player of a ticket. */
export interface TicketOwner
  extends Pick<Player, 'id' | 'expiresAt'>, Optional<Pick<Player, 'username' | 'globalName'>> {}

/** Where a ticket is valid. */
export interface TicketScope {
  readonly store: TicketStore
  readonly applicationId: string
  readonly purpose: string
}

export async function createTicket({ store, ...scope }: TicketScope, player: TicketOwner): Promise<string> {
  const ticket = randomText()
  const { id, username, globalName, expiresAt } = player
  await store.put(keyOf(ticket, scope), JSON.stringify({ id, username, globalName, expiresAt }), TICKET_LIFE)
  return ticket
}

/** Resolves with the player of a ticket, which cannot be used again. Undefined for one that is unknown here, used or old. */
export async function redeemTicket(
  { store, ...scope }: TicketScope,
  ticket: unknown,
): Promise<Player | undefined> {
  const stored = isText(ticket, TICKET) ? readJson((await store.take(keyOf(ticket, scope))) ?? '') : undefined
  if (!isRecord(stored)) return undefined
  const { id, username, globalName, expiresAt } = stored
  if (!isUserId(id) || typeof expiresAt !== 'number') return undefined
  return { id, ...namesOf(username, globalName), expiresAt, claims: {} }
}

/** Scope and ticket in one hash: a ticket of another scope is not found, and stays valid there. */
function keyOf(ticket: string, { applicationId, purpose }: Omit<TicketScope, 'store'>): StoreKey {
  return storeKey(
    applicationId,
    'ticket',
    base64url(sha256(JSON.stringify([applicationId, purpose, ticket]))),
  )
}
