/** Takes callbacks that reach the game by themselves, after a redirect or as deep links. Loaded when the first one comes. */
import type { Clock } from '../foundation/clock'
import { AuthorizationError } from '../foundation/errors'
import { type Callback, readCallback } from './callback'
import type { AuthorizationFlow } from './flow'
import type { Attempt } from './request'
import type { AuthorizationResult } from './result'

/** How long a callback gives the same result again, in ms: pages run their start-up code twice, systems deliver a link twice. */
const REPLAY_WINDOW = 60_000

/** Finds the attempt that a page before this one began, and removes it: a callback counts once. */
export type FindAttempt = (state: string) => Promise<Attempt | undefined>

export interface DeskOptions {
  flow: AuthorizationFlow
  findAttempt: FindAttempt
  clock: Clock
}

export class CallbackDesk {
  readonly #options: DeskOptions
  readonly #taken = new Map<string, { result: Promise<AuthorizationResult>; until: number }>()

  constructor(options: DeskOptions) {
    this.#options = options
  }

  /** The result of a callback. One that belongs to no attempt is refused and disturbs none. */
  async take(url: string): Promise<AuthorizationResult> {
    const callback = readCallback(url)
    const state = callback.parameters.get('state') ?? ''
    const now = this.#options.clock.now()
    for (const [old, { until }] of this.#taken) if (until <= now) this.#taken.delete(old)
    const known = this.#taken.get(state)
    if (known) return known.result
    const result = this.#options.flow.answer(callback) ?? this.#recover(callback, state)
    this.#taken.set(state, { result, until: now + REPLAY_WINDOW })
    // A refusal is not an answer: the real one may still come.
    result.catch(() => this.#taken.delete(state))
    return result
  }

  async #recover(callback: Callback, state: string): Promise<AuthorizationResult> {
    const attempt = await this.#options.findAttempt(state)
    if (!attempt) throw new AuthorizationError('state_mismatch')
    return this.#options.flow.accept(callback, attempt)
  }
}
