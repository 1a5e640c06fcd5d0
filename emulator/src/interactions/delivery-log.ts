/** Remembers what was sent to the backend and what it answered, for whoever wants to know why it was refused. */
import type { SignedRequestResult } from './signed-request.js'

/** A call of the backend's by an interaction's token. */
export interface LoggedCall {
  method: string
  /** Without the token. */
  path: string
  status: number
  body: string
  rule?: string
}

export interface DeliveryLogEntry {
  /** The interaction's. */
  id: string
  /** Epoch milliseconds. */
  at: number
  kind: string
  /** What was used, in words. */
  subject: string
  /** As it was sent, without the token. Absent when nothing was sent. */
  request?: { url: string; headers: Record<string, string>; body: string }
  answer?: { status: number; headers: Record<string, string>; body: string }
  ms?: number
  /** Why the service, or this window, did not take it. */
  refused?: string
  calls: LoggedCall[]
}

const capacity = 200

export class DeliveryLog {
  readonly #tell: () => void
  #entries: DeliveryLogEntry[] = []

  constructor(tell: () => void) {
    this.#tell = tell
  }

  add(entry: Omit<DeliveryLogEntry, 'calls'>): DeliveryLogEntry {
    const kept = { ...entry, calls: [] }
    this.#entries.push(kept)
    if (this.#entries.length > capacity) this.#entries.shift()
    this.#tell()
    return kept
  }

  /** Puts down how it ended. */
  close(entry: DeliveryLogEntry, { answer, ms, failure }: SignedRequestResult): void {
    Object.assign(entry, { ms, ...(answer === undefined ? {} : { answer }), ...(failure === undefined ? {} : { refused: failure }) })
    this.#tell()
  }

  refuse(entry: DeliveryLogEntry, reason: string): void {
    entry.refused = reason
    this.#tell()
  }

  addCall(id: string, call: LoggedCall): void {
    this.#entries.find((entry) => entry.id === id)?.calls.push(call)
    this.#tell()
  }

  /** Oldest first. */
  list(): DeliveryLogEntry[] {
    return structuredClone(this.#entries)
  }

  clear(): void {
    this.#entries = []
    this.#tell()
  }
}

/** One-time tokens open the interaction to whoever has them: they are shown nowhere. */
export function shown(
  { url, headers, body }: SignedRequestResult,
  token: string,
): { url: string; headers: Record<string, string>; body: string } {
  return { url, headers, body: body.replaceAll(token, '[token]') }
}
