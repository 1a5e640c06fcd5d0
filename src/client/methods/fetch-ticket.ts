/** Fetches a ticket of the player for the game's own server. */
import { ApiError, ProtocolError } from '../../foundation/errors'
import { isRecord } from '../../foundation/values/guard-untrusted-values'
import type { BackendMethods } from './backend-methods'

const ROUTE = 'fetchTicket'

/**
 * Exchanges the player's token for a ticket, at the endpoint of `createPlayerTickets` in the game's backend. It is valid for one connection
 * within 30 s: fetch one for each connection, also for another attempt. A path belongs to the first of the client's `backendOrigins`.
 *
 * @throws ApiError for a refusal of the backend, for example `http_401`; `retryable` for 429, and from 500.
 * @throws ProtocolError `malformed_response`, and the errors of `fetchBackend`.
 * @example
 * ```ts
 * const socket = io('https://game.example', {
 *   auth: (send) => void fetchTicket(client, '/tickets?purpose=match').then((ticket) => send({ ticket })),
 * })
 * ```
 */
export async function fetchTicket(client: Pick<BackendMethods, 'fetchBackend'>, url: string): Promise<string> {
  const response = await client.fetchBackend(url, { method: 'POST' })
  const { ok, status } = response
  if (!ok) throw new ApiError(`http_${status}`, ROUTE, { status })
  const body: unknown = await response.json().catch(() => undefined)
  if (isRecord(body) && typeof body['ticket'] === 'string') return body['ticket']
  throw new ProtocolError('malformed_response', ROUTE, { path: 'ticket', expected: 'a string' })
}
