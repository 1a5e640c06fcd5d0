/** REST client of the signed-in player with the player's rate limits. One per client. */
import { factsOf } from '../../shared/foundation/log-entry'
import { loadOnce } from '../../shared/foundation/import-part'
import type { Credentials } from '../../shared/http/credentials'
import { createLimitedApi, type LimitedApi } from '../../shared/http/limited-api'
import { fetchTransport } from '../../shared/http/http-client'
import type { RateLimitStore } from '../../shared/rate-limit/store-port'
import { bearerOf } from '../../shared/tokens/kept-token'
import type { SessionRecord } from '../session/session-record'
import { Caller } from './caller'
import type { ClientContext } from './client-context'

/** Maximum wait in ms for a rate limit; short, because a player is waiting. */
const MAX_WAIT = 5000

/** Created with the first call of any module; all modules share its rate limiter. Use its `api` with the credentials of a caller. */
export function openUserApi(context: ClientContext): Promise<LimitedApi> {
  context.playerApi ??= loadOnce(() => loadUserApi(context))
  return context.playerApi()
}

async function loadUserApi(context: ClientContext): Promise<LimitedApi> {
  const { applicationId, service, clock, rateLimitStore } = context
  const page = (context.page = await context.loadPage?.())
  const store =
    rateLimitStore ?? page?.openRateLimitStore({ name: `${applicationId} ${service.host}`, clock })
  const api = createUserApi(context, playerCredentials(context, new Caller(undefined)), store)
  context.limits = () => api.limits()
  if (context.closeSignal.aborted) api.close()
  context.closeSignal.addEventListener('abort', () => api.close())
  return api
}

/** Creates a REST client with its own rate limiter. */
export function createUserApi(
  context: ClientContext,
  credentials: Credentials,
  store?: RateLimitStore,
): LimitedApi {
  const { service, clock, requestTimeout: timeout, maxWait = MAX_WAIT, emit, log } = context
  return createLimitedApi({
    service: service,
    credentials,
    // Once it is known, requests may go through the game's backend.
    transport: fetchTransport((...request) => context.fetch(...request)),
    clock,
    timeout,
    maxWait,
    store,
    onRefused: (error, route) =>
      log('warn', 'api.refused', { route, status: error.status, ...factsOf(error) }),
    onRateLimited: (event) => emit('rateLimited', event),
    onRateLimitDelayed: (event) => emit('rateLimitDelayed', event),
  })
}

/** Supplies unexpired tokens of the session that made a call, and refreshes once after a 401. */
export function playerCredentials({ sessions }: ClientContext, caller: Caller): Credentials {
  return {
    userId: caller.userId,
    requireCurrent: () => caller.requireCurrent(),
    onEnd: (callback) => caller.onEnd(callback),
    header: async () => bearer(await (await sessions()).getUsableRecord(caller)),
    async renew(refused) {
      const { replaceRefused } = await sessions()
      return (
        (await replaceRefused(caller, {
          isOf: (record) => bearer(record) === refused,
          why: { dead: true },
        })) !== undefined
      )
    },
  }
}

const bearer = ({ tokens }: SessionRecord): string => bearerOf(tokens)
