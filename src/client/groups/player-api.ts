/** REST client of the signed-in player with the player's rate limits, one for each client. */
import { factsOf } from '../../shared/foundation/log-entry'
import type { Api } from '../../shared/http/api'
import type { Credentials } from '../../shared/http/credentials'
import { fetchTransport } from '../../shared/http/http-client'
import { createLimitedApi, type LimitedApi } from '../../shared/http/limited-api'
import type { RateLimitUsage } from '../../shared/rate-limit/limiter-events'
import type { RateLimitStore } from '../../shared/rate-limit/store-port'
import { bearerOf } from '../../shared/tokens/kept-token'
import { Caller } from '../session/caller'
import type { ClientContext } from '../sign-in/sign-in-client'
import type { PageServices } from '../context/client-options'
import type { SessionRecord } from '../session/session'

/** Maximum wait in ms for a rate limit; short, because a player is waiting. */
const MAX_WAIT = 5000

export class PlayerApi {
  /** Services of the page, if the client has one. */
  readonly page: PageServices | undefined
  protected readonly context: ClientContext
  readonly #limited: LimitedApi

  constructor(context: ClientContext, page: PageServices | undefined) {
    const { applicationId, service, clock, rateLimitStore } = context.options
    const store =
      rateLimitStore ?? page?.openRateLimitStore({ name: `${applicationId} ${service.host}`, clock })
    const limited = createUserApi(context, playerCredentials(context, new Caller(undefined)), store)
    this.page = page
    this.context = context
    this.#limited = limited
    if (context.closeSignal.aborted) limited.close()
    context.closeSignal.addEventListener('abort', () => limited.close())
  }

  /** Sends requests with the token of the caller. */
  as(caller: Caller, change?: Parameters<Api['as']>[1]): Api {
    return this.#limited.api.as(playerCredentials(this.context, caller), change)
  }

  /** Usage of every rate limit. */
  get usage(): RateLimitUsage[] {
    return this.#limited.limits()
  }

  clearBlocks({ userId }: Caller): Promise<void> {
    return this.#limited.clearBlocks(userId)
  }
}

/** Creates a REST client with its own rate limiter. */
export function createUserApi(
  { options, emit, log }: ClientContext,
  credentials: Credentials,
  store?: RateLimitStore,
): LimitedApi {
  const { service, clock, requestTimeout: timeout, maxWait = MAX_WAIT } = options
  return createLimitedApi({
    service,
    credentials,
    transport: fetchTransport(options.fetch),
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
function playerCredentials({ sessions }: ClientContext, caller: Caller): Credentials {
  return {
    userId: caller.userId,
    requireCurrent: () => caller.requireCurrent(),
    onEnd: (callback) => caller.onEnd(callback),
    header: async () => bearer(await (await sessions()).getUsableRecord(caller)),
    async renew(refused) {
      return (
        (await (
          await sessions()
        ).replaceRefused(caller, {
          isOf: (record) => bearer(record) === refused,
          why: { dead: true },
        })) !== undefined
      )
    },
  }
}

const bearer = ({ tokens }: SessionRecord): string => bearerOf(tokens)
