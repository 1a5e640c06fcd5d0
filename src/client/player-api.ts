/** The REST interface as a signed-in player sees it, within the player's limits: one for each client. */
import { factsOf } from '../foundation/facts'
import { loadOnce } from '../foundation/load-once'
import type { Credentials } from '../http/credentials'
import { createLimitedApi, type LimitedApi } from '../http/limited-api'
import { fetchTransport } from '../http/transport'
import type { RateLimitStore } from '../rate-limit/store'
import type { SessionRecord } from '../tokens/session-record'
import type { ClientContext } from './context'

/** ms that a call may wait for a limit: a player is looking. */
const MAX_WAIT = 5000
/** ms after a renewal for the sake of a 401 in which another 401 has other reasons than the token. */
const JUST_NOW = 30_000

/** Made with the first call of whatever part; its limiter serves them all. */
export function openPlayerApi(context: ClientContext): Promise<LimitedApi> {
  context.playerApi ??= loadOnce(() => makePlayerApi(context))
  return context.playerApi()
}

async function makePlayerApi(context: ClientContext): Promise<LimitedApi> {
  const { applicationId, profile, clock, rateLimitStore } = context
  const page = await context.loadPage?.()
  const store = rateLimitStore ?? page?.openBudget({ name: `${applicationId} ${profile.host}`, clock })
  const api = createPlayerApi(context, playerCredentials(context), store)
  context.limits = () => api.limits()
  if (context.life.aborted) api.close()
  context.life.addEventListener('abort', () => api.close())
  return api
}

/** With its own limiter. */
export function createPlayerApi(context: ClientContext, credentials: Credentials, store?: RateLimitStore): LimitedApi {
  const { profile, fetch, clock, requestTimeout: timeout, maxWait = MAX_WAIT, presence, emit, log } = context
  return createLimitedApi({
    profile,
    credentials,
    transport: fetchTransport(fetch),
    clock,
    timeout,
    maxWait,
    store,
    user: () => presence.session?.userId ?? '',
    onRefused: (error, route) => log('warn', 'api.refused', { route, status: error.status, ...factsOf(error) }),
    onRateLimited: (event) => emit('rateLimited', event),
    onRateLimitDelayed: (event) => emit('rateLimitDelayed', event),
  })
}

/** Good for now: what has expired is renewed first, and what is refused, once more. */
function playerCredentials({ sessions, clock }: ClientContext): Credentials {
  let renewed: string | undefined
  let renewedAt = 0
  return {
    header: async () => bearer(await (await sessions()).usable()),
    async renew(refused) {
      const { keeper, usable, renew } = await sessions()
      await keeper.sync()
      if (bearer(keeper.record ?? (await usable())) !== refused) return true
      if (renewed === refused && Math.abs(clock.now() - renewedAt) < JUST_NOW) return false
      renewed = bearer(await renew({ dead: true }))
      renewedAt = clock.now()
      return true
    },
  }
}

const bearer = ({ tokens }: SessionRecord): string => `Bearer ${tokens.accessToken.reveal()}`
