/** Reads the ticket that the game's backend answers with. */
import { ApiError, ProtocolError } from '../../shared/foundation/errors'
import { inTime, type Wait } from '../../shared/foundation/in-time'
import { isRecord } from '../../shared/foundation/untrusted-values'

const ROUTE = 'backend.fetchTicket'

/** @throws ApiError for a refusal of the backend. @throws ProtocolError `malformed_response`. @throws NetworkError `timed_out`, `aborted`. */
export async function readTicket(response: Response, wait: Omit<Wait, 'name'>): Promise<string> {
  const { ok, status } = response
  if (!ok) throw new ApiError(`http_${status}`, ROUTE, { status })
  const read = response.json().catch(() => undefined)
  const body: unknown = await inTime(read, { ...wait, name: ROUTE })
  if (isRecord(body) && typeof body['ticket'] === 'string') return body['ticket']
  throw new ProtocolError('malformed_response', ROUTE, { path: 'ticket', expected: 'a string' })
}
