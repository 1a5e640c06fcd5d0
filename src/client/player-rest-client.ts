/** REST client of the signed-in player with the player's rate limits. One per client. */
import { factsOf } from '../foundation/error-log-data'
import { memoizedImport } from '../foundation/memoized-import'
import type { Credentials } from '../http/credentials-port'
import { createLimitedApi, type LimitedApi } from '../http/rate-limited-api'
import { fetchTransport } from '../http/transport'
import type { RateLimitStore } from '../rate-limit/shared/store-port'
import type { SessionRecord } from '../tokens/session/session-record'
import type { ClientContext } from './shared-client-state'

/** Maximum wait in ms for a rate limit; short, because a player is waiting. */
const MAX_WAIT = 5000
/** Time in ms after a refresh in which another 401 is not attributed to the token. */
const RECENT_REFRESH = 30_000

/** Created with the first call of any module; all modules share its rate limiter. */
export function openUserApi(context: ClientContext): Promise<LimitedApi> {
  context.playerApi ??= memoizedImport(() => loadUserApi(context))
  return context.playerApi()
}

async function loadUserApi(context: ClientContext): Promise<LimitedApi> {
  const { applicationId, service, clock, rateLimitStore } = context
  const page = await context.loadPage?.()
  const store = rateLimitStore ?? page?.openRateLimitStore({ name: `${applicationId} ${service.host}`, clock })
  const api = createUserApi(context, userCredentials(context), store)
  context.limits = () => api.limits()
  if (context.closeSignal.aborted) api.close()
  context.closeSignal.addEventListener('abort', () => api.close())
  return api
}

/** Creates a REST client with its own rate limiter. */
export function createUserApi(context: ClientContext, credentials: Credentials, store?: RateLimitStore): LimitedApi {
  const { service, fetch, clock, requestTimeout: timeout, maxWait = MAX_WAIT, authState, emit, log } = context
  return createLimitedApi({
    service: service,
    credentials,
    transport: fetchTransport(fetch),
    clock,
    timeout,
    maxWait,
    store,
    user: () => authState.session?.userId ?? '',
    onRefused: (error, route) => log('warn', 'api.refused', { route, status: error.status, ...factsOf(error) }),
    onRateLimited: (event) => emit('rateLimited', event),
    onRateLimitDelayed: (event) => emit('rateLimitDelayed', event),
  })
}

/** Supplies unexpired tokens, and refreshes once after a 401. */
function userCredentials({ sessions, clock }: ClientContext): Credentials {
  let refreshedHeader: string | undefined
  let refreshedAt = 0
  return {
    header: async () => bearer(await (await sessions()).getUsableRecord()),
    async renew(refused) {
      const { currentSession, getUsableRecord, refresh } = await sessions()
      await currentSession.sync()
      if (bearer(currentSession.record ?? (await getUsableRecord())) !== refused) return true
      if (refreshedHeader === refused && Math.abs(clock.now() - refreshedAt) < RECENT_REFRESH) return false
      refreshedHeader = bearer(await refresh({ dead: true }))
      refreshedAt = clock.now()
      return true
    },
  }
}

const bearer = ({ tokens }: SessionRecord): string => `Bearer ${tokens.accessToken.reveal()}`
