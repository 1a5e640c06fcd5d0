/** The port that keeps an attempt while the page is away at the authorize page, and its form in storage. */
import { isRecord } from '../foundation/encoding'
import { isApplicationId } from '../foundation/ids'
import { Secret, reveal } from '../foundation/secret'
import type { Attempt } from './request'

/** How long a redirect may take, in ms. After that its record is worthless. */
export const ATTEMPT_LIFETIME = 600_000

/** Keeps attempts across a page load. `take` removes what it returns: a callback counts once. */
export interface AttemptStore {
  /** Keeps a record; throws where nothing can be kept. */
  save(state: string, record: string): void
  take(state: string): string | undefined
}

/** For environments that never leave the page. */
export class MemoryAttemptStore implements AttemptStore {
  readonly #records = new Map<string, string>()

  save(state: string, record: string): void {
    this.#records.set(state, record)
  }

  take(state: string): string | undefined {
    const record = this.#records.get(state)
    this.#records.delete(state)
    return record
  }
}

/** An attempt as text for a store. It holds the verifier, so it must stay on the machine. */
export function serializeAttempt({ verifier, ...attempt }: Attempt): string {
  return JSON.stringify({ ...attempt, ...(verifier && { verifier: reveal(verifier) }) })
}

/** Reads a record back; undefined when it is not one, whatever else it may be. */
export function parseAttempt(record: string): Attempt | undefined {
  const { state, nonce, clientId, scopes, redirectUri, verifier, begun } = parseRecord(record)
  if (!isText(state) || !isText(nonce) || !isText(scopes) || !isText(redirectUri)) return undefined
  if (!isApplicationId(clientId) || typeof begun !== 'number') return undefined
  return { state, nonce, clientId, scopes, redirectUri, begun, ...(isText(verifier) && { verifier: new Secret(verifier) }) }
}

function parseRecord(record: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(record)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
