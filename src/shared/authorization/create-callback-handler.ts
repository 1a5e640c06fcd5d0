/** Handles callbacks delivered from outside, after a redirect or as deep links. Loaded with the first one. */
import type { Clock } from '../foundation/clock'
import { AuthorizationError } from '../foundation/errors'
import { type Callback, readCallback } from './check-callback'
import type { AuthorizationFlow } from './authorization-flow'
import type { Attempt } from './attempt'
import { type AuthorizationResult, type ClientIdentity, ownerOf } from './authorization-result'

/**
 * Time in ms during which a repeated callback returns the same result: pages may run start-up code twice, systems may deliver a link twice.
 */
const REPLAY_WINDOW = 60_000

/**
 * Finds and removes an attempt that this client started on a previous page, so that a callback works once. Attempts of other clients stay.
 */
export type FindAttempt = (state: string, owner: string) => Promise<Attempt | undefined>

export interface CallbackHandlerOptions {
  /** Its application id may change. */
  client: ClientIdentity
  flow: AuthorizationFlow
  findAttempt: FindAttempt
  clock: Clock
}

/** Resolves with the result of a callback. A callback without a matching attempt is rejected and affects no other attempt. */
export type CallbackHandler = (url: string) => Promise<AuthorizationResult>

export function createCallbackHandler(options: CallbackHandlerOptions): CallbackHandler {
  const { client, flow, findAttempt, clock } = options
  const recent = new Map<string, { result: Promise<AuthorizationResult>; until: number }>()

  async function recover(callback: Callback, state: string): Promise<AuthorizationResult> {
    const attempt = await findAttempt(state, ownerOf(client))
    if (!attempt) throw new AuthorizationError('state_mismatch')
    return flow.verifyCallback(callback, attempt)
  }

  return async (url) => {
    const callback = readCallback(url)
    const state = callback.parameters.get('state') ?? ''
    const now = clock.now()
    for (const [old, { until }] of recent) if (until <= now) recent.delete(old)
    const known = recent.get(state)
    if (known) return known.result
    const result = flow.complete(callback) ?? recover(callback, state)
    recent.set(state, { result, until: now + REPLAY_WINDOW })
    // A rejected callback does not use up the state: the genuine one may follow.
    result.catch(() => recent.delete(state))
    return result
  }
}
