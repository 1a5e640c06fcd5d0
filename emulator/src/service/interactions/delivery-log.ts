/** Log of the requests to the backend and its responses, with the reasons of refusals. */
import type { SignedRequestResult } from './send-signed-request.js'

/** API call by the backend with an interaction's token. */
export interface LoggedCall {
  method: string
  /** Path, without the token. */
  path: string
  status: number
  body: string
  rule?: string
}

export interface DeliveryLogEntry {
  /** Id of the interaction. */
  id: string
  /** Epoch milliseconds. */
  at: number
  kind: string
  /** Name of the command or component. */
  subject: string
  /** Request body without the token; absent if nothing was sent. */
  request?: { url: string; headers: Record<string, string>; body: string }
  answer?: { status: number; headers: Record<string, string>; body: string }
  ms?: number
  /** Reason why the service or its client refused it. */
  refused?: string
  calls: LoggedCall[]
}

const CAPACITY = 200

export class DeliveryLog {
  readonly #onChange: () => void
  #entries: DeliveryLogEntry[] = []

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  add(entry: Omit<DeliveryLogEntry, 'calls'>): DeliveryLogEntry {
    const kept = { ...entry, calls: [] }
    this.#entries.push(kept)
    if (this.#entries.length > CAPACITY) this.#entries.shift()
    this.#onChange()
    return kept
  }

  /** Records the outcome. */
  close(entry: DeliveryLogEntry, { answer, ms, failure }: SignedRequestResult): void {
    const shownAnswer = answer && { status: answer.status, headers: answer.headers, body: answer.body }
    Object.assign(entry, {
      ms,
      ...(shownAnswer === undefined ? {} : { answer: shownAnswer }),
      ...(failure === undefined ? {} : { refused: failure }),
    })
    this.#onChange()
  }

  refuse(entry: DeliveryLogEntry, reason: string): void {
    entry.refused = reason
    this.#onChange()
  }

  addCall(id: string, call: LoggedCall): void {
    this.#entries.find((entry) => entry.id === id)?.calls.push(call)
    this.#onChange()
  }

  /** Oldest first. */
  list(): DeliveryLogEntry[] {
    return structuredClone(this.#entries)
  }

  clear(): void {
    this.#entries = []
    this.#onChange()
  }
}

/** Removes one-time tokens: anyone with such a token can respond to the interaction. */
export function shown(
  { url, headers, body }: Pick<SignedRequestResult, 'url' | 'headers' | 'body'>,
  token: string,
): { url: string; headers: Record<string, string>; body: string } {
  return { url, headers, body: body.replaceAll(token, '[token]') }
}
