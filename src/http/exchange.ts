/** One bounded exchange of the REST interface: a deadline that covers the body, any JSON, or none. */
// Beside `request.ts`, which every game loads and which therefore does only what signing in needs.
import type { Clock } from '../foundation/clock'
import { startDeadline } from '../foundation/deadline'
import { FoyerError, NetworkError } from '../foundation/errors'
import type { Transport, TransportRequest } from './transport'

export interface ExchangeContext {
  transport: Transport
  clock: Clock
  /** Aborts when the client is closed, and every request with it. */
  life?: AbortSignal | undefined
}

export interface Exchanged {
  readonly status: number
  /** A header by its name in lower case; null when it is absent or hidden. */
  readonly header: (name: string) => string | null
  /** Undefined for no body, and for one that is no JSON. */
  readonly body: unknown
}

/**
 * Sends a request and reads its whole answer, whatever its status.
 * @throws NetworkError `timed_out`, `aborted`, `connection_failed`. @throws ProtocolError `response_too_large`.
 */
export async function exchange(
  { transport, clock, life }: ExchangeContext,
  { timeout, signal: own, ...request }: Omit<TransportRequest, 'signal'> & { timeout: number; signal?: AbortSignal | undefined },
): Promise<Exchanged> {
  const { route } = request
  const { signal, expired, release } = startDeadline(clock, timeout, [own, life])
  // A transport that a game brings may ignore the signal; the caller must be freed all the same.
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', reject)
    if (signal.aborted) reject(signal)
  })
  try {
    const { status, header, text } = await Promise.race([signal.aborted ? stopped : transport({ ...request, signal }), stopped])
    return { status, header, body: parse(text) }
  } catch (error) {
    if (error instanceof FoyerError) throw error
    if (expired()) throw new NetworkError('timed_out', route)
    if (signal.aborted) throw new NetworkError('aborted', route)
    throw new NetworkError('connection_failed', route, { cause: error })
  } finally {
    release()
  }
}

/** The parser's own error is dropped: it quotes the body. */
function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
