/** Looks up the player of an access token at the service, within its rate limits, and caches the result for a minute. */
import type { Clock } from '../../shared/foundation/clock'
import { isText } from '../../shared/foundation/untrusted-values'
import { ApiError } from '../../shared/foundation/errors'
import type { ApplicationId, UserId } from '../../shared/foundation/ids'
import { isRequestBound } from '../../shared/foundation/platform'
import { sha256, base64url } from '../../shared/foundation/crypto'
import { checkResponse, ID, type FieldRule } from '../../shared/http/check-response'
import type { BackendCaller } from '../budget/backend-caller'
import type { ServiceBudget } from '../budget/service-budget'
import { namesOf, type Player } from './player'
import { PlayerTokenError } from './player-token-error'

/** Maximum age of a cached result in ms: a revoked token may be accepted for this long. */
const MAX_AGE = 60_000
/** Maximum number of cached tokens; the oldest is evicted first. */
const CAPACITY = 10_000
const TOKEN = /^[!-~]{1,8192}$/
/** ms for which a token counts as known after it was valid. */
const KNOWN = 24 * 3_600_000

type Received = Readonly<Record<string, unknown>>
const AUTHORIZATION: FieldRule<Received & { application: Received; user?: Received & { id: UserId } }> = {
  fields: { application: { fields: {} }, user: { isOptional: true, fields: { id: ID } } },
}
const USER: FieldRule<Received & { id: UserId }> = { fields: { id: ID } }

export interface LookUpContext {
  readonly budget: Pick<ServiceBudget, 'clientFor'>
  /** ms for one request. */
  readonly timeout: number
  readonly applicationId: ApplicationId
  readonly clock: Clock
}

interface Cached {
  readonly player: Promise<Player>
  isPending: boolean
  /** Epoch ms. */
  until: number
}

/**
 * Creates the function that resolves with the player of an access token. Concurrent calls for one token send one request. Tokens are cached
 * by their hash; refusals are cached too, so that one bad token cannot use up the limits. A token that was valid before is asked for in the
 * name of its player, any other one in that of the caller.
 */
export function createAccessTokenLookup(
  context: LookUpContext,
): (token: string, caller: BackendCaller) => Promise<Player> {
  const cache = new Map<string, Cached>()
  /** Players of tokens that were valid, by the hash of the token. */
  const known = new Map<string, { readonly id: string; readonly until: number }>()
  return async (token, stranger) => {
    if (!TOKEN.test(token)) throw rejected('access_token', 'a token')
    const now = context.clock.now()
    const key = base64url(sha256(token))
    const cached = cache.get(key)
    if (cached && cached.until > now && !(cached.isPending && isRequestBound())) return cached.player
    const player = known.get(key)
    const caller: BackendCaller = player && player.until > now ? { kind: 'player', id: player.id } : stranger
    const entry: Cached = { player: lookUp(token, context, caller), isPending: true, until: now + MAX_AGE }
    putNewest(cache, key, entry)
    entry.player.then(
      ({ id, expiresAt }) => {
        entry.isPending = false
        entry.until = Math.min(entry.until, expiresAt)
        return putNewest(known, key, { id, until: Math.min(now + KNOWN, expiresAt) })
      },
      (error: unknown) => (error instanceof PlayerTokenError ? known : cache).delete(key),
    )
    return entry.player
  }
}

/** Evicts the oldest entry of a full map. */
function putNewest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= CAPACITY) break
    map.delete(oldest)
  }
}

/** @throws PlayerTokenError. @throws RateLimitError, ApiError, NetworkError, ProtocolError. */
async function lookUp(
  token: string,
  { budget, timeout, applicationId, clock }: LookUpContext,
  caller: BackendCaller,
): Promise<Player> {
  const api = budget.clientFor(caller, { timeout })
  const headers = { authorization: `Bearer ${token}` }
  const get = async <T>(route: string, rule: FieldRule<T>): Promise<T> =>
    checkResponse(
      (await api.send({ method: 'GET', route, ids: {}, headers }).catch(refuseUnknown)).body,
      `GET ${route}`,
      rule,
    )
  const { application, expires, user } = await get('/oauth2/@me', AUTHORIZATION)
  // A token of another game is valid at the service: only the application tells them apart.
  if (application['id'] !== applicationId) throw rejected('application.id', applicationId)
  const expiresAt = isText(expires, /./) ? Date.parse(expires) : Number.NaN
  if (!(expiresAt > clock.now())) throw new PlayerTokenError('player_token_expired', { path: 'expires' })
  const { id, username, global_name: globalName } = user ?? (await get('/users/@me', USER))
  return { id, ...namesOf(username, globalName), expiresAt, claims: {} }
}

function refuseUnknown(error: unknown): never {
  if (error instanceof ApiError && error.status === 401)
    throw rejected('access_token', 'known to the service')
  if (error instanceof ApiError && error.status === 403) throw rejected('scope', 'identify or an sdk scope')
  throw error
}

const rejected = (path: string, expected: string): PlayerTokenError =>
  new PlayerTokenError('player_token_rejected', { path, expected })
