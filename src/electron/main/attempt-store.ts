/** Keeps attempts to sign in while a browser has the player: the app may be started anew by the very link that answers one. */
import { decodeAttempt, encodeAttempt, isFresh, MAX_RECORDS } from '../../authorization/attempt-record'
import type { Attempt } from '../../authorization/request'
import type { Clock } from '../../foundation/clock'
import { AuthorizationError } from '../../foundation/errors'
import type { TokenStore } from '../../tokens/session/token-store'

const KEY = 'foyer:attempts'

export interface MainAttemptStore {
  keep(attempt: Attempt): Promise<void>
  /** Finds an attempt of this owner and removes it: a callback counts once. Rejects with AuthorizationError `timed_out` when its time is over. */
  take(state: string, owner: string): Promise<Attempt | undefined>
  drop(state: string): Promise<void>
}

/** All in one text, one change after another: a store cannot list its keys. */
export function createMainAttemptStore(store: TokenStore, clock: Clock): MainAttemptStore {
  let last: Promise<unknown> = Promise.resolve()
  const change = <T>(decide: (attempts: readonly Attempt[]) => { left: readonly Attempt[]; result: T }): Promise<T> => {
    const work = last.then(async () => {
      const { left, result } = decide(parse(await store.get(KEY)))
      await (left.length > 0 ? store.set(KEY, print(left)) : store.delete(KEY))
      return result
    })
    last = work.catch(() => undefined)
    return work
  }
  const remove = (state: string, owner?: string) => {
    const isMeant = (attempt: Attempt) => attempt.state === state && attempt.owner === (owner ?? attempt.owner)
    return change((attempts) => ({ left: attempts.filter((attempt) => !isMeant(attempt)), result: attempts.find(isMeant) }))
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

function print(attempts: readonly Attempt[]): string {
  return JSON.stringify(attempts.map(encodeAttempt))
}

/** What is no attempt is left out, whatever else it may be. */
function parse(text = '[]'): Attempt[] {
  try {
    const records: unknown = JSON.parse(text)
    return Array.isArray(records) ? records.map(decodeAttempt).filter((attempt) => attempt !== undefined) : []
  } catch {
    return []
  }
}
