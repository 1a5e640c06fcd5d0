/** Keeps attempts to sign in while a browser has the player: the app may be started anew by the very link that answers one. */
import type { Attempt } from '../../authorization/request'
import type { Clock } from '../../foundation/clock'
import { isRecord } from '../../foundation/encoding'
import { AuthorizationError } from '../../foundation/errors'
import { isApplicationId } from '../../foundation/ids'
import { Secret } from '../../foundation/secret'
import type { TokenStore } from '../../tokens/store'

const KEY = 'foyer:attempts'
const MAX_RECORDS = 8
/** How long an attempt may take, in ms. After that its record is worthless. */
const LIFETIME = 600_000

export interface AttemptStore {
  keep(attempt: Attempt): Promise<void>
  /** Finds an attempt and removes it: a callback counts once. Rejects with AuthorizationError `timed_out` when its time is over. */
  take(state: string): Promise<Attempt | undefined>
  drop(state: string): Promise<void>
}

/** All in one text, one change after another: a store cannot list its keys. */
export function createAttemptStore(store: TokenStore, clock: Clock): AttemptStore {
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
  const isFresh = ({ begun }: Attempt) => clock.now() - begun <= LIFETIME
  const remove = (state: string) =>
    change((attempts) => ({
      left: attempts.filter((attempt) => attempt.state !== state),
      result: attempts.find((attempt) => attempt.state === state),
    }))
  return {
    keep: (attempt) => change((attempts) => ({ left: [...attempts.filter(isFresh).slice(1 - MAX_RECORDS), attempt], result: undefined })),
    async take(state) {
      const attempt = await remove(state)
      if (attempt && !isFresh(attempt)) throw new AuthorizationError('timed_out')
      return attempt
    },
    async drop(state) {
      await remove(state)
    },
  }
}

function print(attempts: readonly Attempt[]): string {
  return JSON.stringify(attempts.map(({ verifier, ...attempt }) => ({ ...attempt, verifier: verifier?.reveal() })))
}

/** What is no attempt is left out, whatever else it may be. */
function parse(text = '[]'): Attempt[] {
  try {
    const records: unknown = JSON.parse(text)
    return Array.isArray(records) ? records.map(parseAttempt).filter((attempt) => attempt !== undefined) : []
  } catch {
    return []
  }
}

function parseAttempt(record: unknown): Attempt | undefined {
  const { state, nonce, clientId, scopes, redirectUri, verifier, begun } = isRecord(record) ? record : {}
  if (!isText(state) || !isText(nonce) || !isText(scopes) || !isText(redirectUri)) return undefined
  if (!isApplicationId(clientId) || typeof begun !== 'number') return undefined
  return { state, nonce, clientId, scopes, redirectUri, begun, verifier: isText(verifier) ? new Secret(verifier) : undefined }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
