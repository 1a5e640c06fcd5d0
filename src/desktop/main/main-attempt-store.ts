/** Stores attempts while the player is in the browser, because the callback link may restart the app. */
import { encodeAttempt, MAX_RECORDS } from '../../shared/authorization/attempt-record'
import { type Attempt } from '../../shared/authorization/attempt'
import { decodeAttempt, isFresh } from '../../shared/authorization/decode-attempt'
import type { Clock } from '../../shared/foundation/clock'
import { AuthorizationError } from '../../shared/foundation/errors'
import type { TokenStore } from '../../client/session/token-store'

const KEY = 'foyer:attempts'

export interface MainAttemptStore {
  keep(attempt: Attempt): Promise<void>
  /**
   * Removes and returns an attempt of this owner, so that a callback works once. Rejects with AuthorizationError `timed_out` if it is too
   * old.
   */
  take(state: string, owner: string): Promise<Attempt | undefined>
  drop(state: string): Promise<void>
}

/** Stores all attempts under one key, because stores cannot list keys; changes are serialized. */
export function createMainAttemptStore(store: TokenStore, clock: Clock): MainAttemptStore {
  let last: Promise<unknown> = Promise.resolve()
  const change = <T>(
    decide: (attempts: readonly Attempt[]) => { left: readonly Attempt[]; result: T },
  ): Promise<T> => {
    const work = last.then(async () => {
      const { left, result } = decide(parse(await store.get(KEY)))
      await (left.length > 0 ? store.set(KEY, stringify(left)) : store.delete(KEY))
      return result
    })
    last = work.catch(() => undefined)
    return work
  }
  const remove = (state: string, owner?: string) => {
    const matches = (attempt: Attempt) =>
      attempt.state === state && attempt.owner === (owner ?? attempt.owner)
    return change((attempts) => ({
      left: attempts.filter((attempt) => !matches(attempt)),
      result: attempts.find(matches),
    }))
  }
  return {
    keep: (attempt) =>
      change((attempts) => {
        const fresh = attempts.filter((other) => isFresh(other, clock.now()))
        return { left: [...fresh.slice(1 - MAX_RECORDS), attempt], result: undefined }
      }),
    async take(state, owner) {
      const attempt = await remove(state, owner)
      if (attempt && !isFresh(attempt, clock.now())) throw new AuthorizationError('timed_out')
      return attempt
    },
    async drop(state) {
      await remove(state)
    },
  }
}

function stringify(attempts: readonly Attempt[]): string {
  return JSON.stringify(attempts.map(encodeAttempt))
}

/** Skips invalid records. */
function parse(text = '[]'): Attempt[] {
  try {
    const records: unknown = JSON.parse(text)
    return Array.isArray(records) ? records.map(decodeAttempt).filter((attempt) => attempt !== undefined) : []
  } catch {
    return []
  }
}
