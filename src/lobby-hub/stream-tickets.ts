/** Single-use tickets, for clients that cannot send a header with a stream: valid for 30 s, stored by their hash. */
import { base64url } from '../foundation/base64url'
import { isRecord, isText } from '../foundation/values/guard-untrusted-values'
import { isUserId } from '../foundation/ids'
import { randomText } from '../foundation/random-text'
import { sha256 } from '../foundation/sha256'
import { namesOf, type Player } from '../players/player'
import type { LobbyBroker } from './lobby-broker'
import { parseStored } from './lobby-note'

/** ms from its creation to its end. */
export const TICKET_LIFE = 30_000
const TICKET = /^[\w-]{43}$/

const keyOf = (ticket: string): string => `ticket:${base64url(sha256(ticket))}`

export async function createTicket(broker: LobbyBroker, player: Player): Promise<string> {
  const ticket = randomText()
  const { id, username, globalName, expiresAt } = player
  await broker.put(keyOf(ticket), JSON.stringify({ id, username, globalName, expiresAt }), TICKET_LIFE)
  return ticket
}

/** Resolves with the player of a ticket, which cannot be used again. Undefined for an unknown, used or old one. */
export async function redeemTicket(broker: LobbyBroker, ticket: string): Promise<Player | undefined> {
  const text = isText(ticket, TICKET) ? await broker.take(keyOf(ticket)) : undefined
  const stored = text === undefined ? undefined : parseStored(text)
  if (!isRecord(stored)) return undefined
  const { id, username, globalName, expiresAt } = stored
  if (!isUserId(id) || typeof expiresAt !== 'number') return undefined
  return { id, ...namesOf(username, globalName), expiresAt, claims: {} }
}
