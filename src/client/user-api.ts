/** The REST interface as a signed-in player sees it, within the player's limits: one for each client. */
import { factsOf } from '../foundation/ambient'
import { memoizedImport } from '../foundation/lazy'
import type { Credentials } from '../http/credentials'
import { createLimitedApi, type LimitedApi } from '../http/limited-api'
import { fetchTransport } from '../http/transport'
import type { RateLimitStore } from '../rate-limit/shared/store'
import type { SessionRecord } from '../tokens/session/record'
import type { ClientContext } from './context'

/** ms that a call may wait for a limit: a player is looking. */
const MAX_WAIT = 5000
/** ms after a renewal for the sake of a 401 in which another 401 has other reasons than the token. */
const JUST_NOW = 30_000

/** Made with the first call of whatever part; its limiter serves them all. */
export function openUserApi(context: ClientContext): Promise<LimitedApi> {
  context.playerApi ??= memoizedImport(() => loadUserApi(context))
  return context.playerApi()
}

async function loadUserApi(context: ClientContext): Promise<LimitedApi> {
  const { applicationId, service, clock, rateLimitStore } = context
  const page = await context.loadPage?.()
  const store = rateLimitStore ?? page?.openBudget({ name: `${applicationId} ${service.host}`, clock })
  const api = createUserApi(context, userCredentials(context), store)
  context.limits = () => api.limits()
  if (context.closeSignal.aborted) api.close()
  context.closeSignal.addEventListener('abort', () => api.close())
  return api
}

/** With its own limiter. */
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

/** Good for now: what has expired is renewed first, and what is refused, once more. */
function userCredentials({ sessions, clock }: ClientContext): Credentials {
  let renewed: string | undefined
  let renewedAt = 0
  return {
    header: async () => bearer(await (await sessions()).getUsableRecord()),
    async renew(refused) {
      const { currentSession, getUsableRecord, refresh } = await sessions()
      await currentSession.sync()
      if (bearer(currentSession.record ?? (await getUsableRecord())) !== refused) return true
      if (renewed === refused && Math.abs(clock.now() - renewedAt) < JUST_NOW) return false
      renewed = bearer(await refresh({ dead: true }))
      renewedAt = clock.now()
      return true
    },
  }
}

const bearer = ({ tokens }: SessionRecord): string => `Bearer ${tokens.accessToken.reveal()}`
