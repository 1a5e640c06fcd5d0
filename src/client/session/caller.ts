/** The player who made a call: taken once in the public method, and checked until the call's last request is sent. */
import { AbortGroup } from '../../shared/foundation/async'
import { type FoyerError, SessionError } from '../../shared/foundation/errors'
import type { UserId } from '../../shared/foundation/ids'
import type { SessionRecord } from './session'

/**
 * A signed-in player, until the session ends or another player's takes its place. A call then ends with `signed_out` wherever it waits: it is
 * never sent with the token of another player, and never after a sign-out. Only the response to a change that was on its way still
 * counts: one to a read shows nothing of its player to another one.
 * New tokens for the same player, by a refresh or `updateToken`, end nothing.
 */
export class Caller {
  /** Undefined if nobody is signed in. */
  readonly userId: UserId | undefined
  readonly #pending = new AbortGroup()
  #end: FoyerError | undefined

  constructor(userId: UserId | undefined) {
    this.userId = userId
  }

  /** False once the session has ended, and for a call without a session. */
  get isCurrent(): boolean {
    return this.userId !== undefined && !this.#end
  }

  /** @throws SessionError `signed_out`, or the error that ended the session. */
  requireCurrent(): void {
    if (!this.isCurrent) throw this.#end ?? new SessionError('signed_out')
  }

  /** Returns the record if it is of this player. @throws SessionError as `requireCurrent`. */
  requireOwn(record: SessionRecord): SessionRecord {
    this.requireCurrent()
    if (record.userId === this.userId) return record
    throw new SessionError('signed_out')
  }

  /** Calls back when the session ends. Returns a function that removes the callback. */
  onEnd(callback: () => void): () => void {
    return this.#pending.onEnd(callback)
  }

  /** Ends all calls of the session. */
  end(error: FoyerError = new SessionError('signed_out')): void {
    this.#end ??= error
    this.#pending.end()
  }
}
