/** Reads the ticket that the game's backend answers with. */
import { ApiError, ProtocolError } from '../../shared/foundation/errors'
import { isRecord } from '../../shared/foundation/untrusted-values'

const ROUTE = 'backend.fetchTicket'

/** @throws ApiError for a refusal of the backend. @throws ProtocolError `malformed_response`. */
export async function readTicket(response: Response): Promise<string> {
  const { ok, status } = response
  if (!ok) throw new ApiError(`http_${status}`, ROUTE, { status })
  const body: unknown = await response.json().catch(() => undefined)
  if (isRecord(body) && typeof body['ticket'] === 'string') return body['ticket']
  throw new ProtocolError('malformed_response', ROUTE, { path: 'ticket', expected: 'a string' })
}
