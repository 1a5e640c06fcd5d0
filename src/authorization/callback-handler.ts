/** Takes callbacks that reach the game by themselves, after a redirect or as deep links. Loaded when the first one comes. */
import type { Clock } from '../foundation/clock'
import { AuthorizationError } from '../foundation/errors'
import { memoizedImport } from '../foundation/lazy'
import { type Callback, readCallback } from './callback'
import type { AuthorizationFlow } from './flow'
import type { Attempt } from './request'
import { type AuthorizationResult, type ClientIdentity, ownerOf } from './result'

/** How long a callback gives the same result again, in ms: pages run their start-up code twice, systems deliver a link twice. */
const REPLAY_WINDOW = 60_000

/** Finds the attempt that this client began on a page before, and removes it: a callback counts once. Another client's stays where it is. */
export type FindAttempt = (state: string, owner: string) => Promise<Attempt | undefined>

export interface CallbackHandlerOptions extends ClientIdentity {
  flow: AuthorizationFlow
  findAttempt: FindAttempt
  clock: Clock
}

/** The result of a callback. One that belongs to no attempt is refused and disturbs none. */
export type CallbackHandler = (url: string) => Promise<AuthorizationResult>

export function createCallbackHandler(options: CallbackHandlerOptions): CallbackHandler {
  const { flow, findAttempt, clock } = options
  const taken = new Map<string, { result: Promise<AuthorizationResult>; until: number }>()

  async function recover(callback: Callback, state: string): Promise<AuthorizationResult> {
    const attempt = await memoizedImport(() => findAttempt(state, ownerOf(options)))()
    if (!attempt) throw new AuthorizationError('state_mismatch')
    return flow.verifyCallback(callback, attempt)
  }

  return async (url) => {
    const callback = readCallback(url)
    const state = callback.parameters.get('state') ?? ''
    const now = clock.now()
    for (const [old, { until }] of taken) if (until <= now) taken.delete(old)
    const known = taken.get(state)
    if (known) return known.result
    const result = flow.answer(callback) ?? recover(callback, state)
    taken.set(state, { result, until: now + REPLAY_WINDOW })
    // A refusal is not an answer: the real one may still come.
    result.catch(() => taken.delete(state))
    return result
  }
}
