/** Requests of a session handler to the service, for one caller. Its routes have no other way to the service. */
import type { Clock } from '../../shared/foundation/clock'
import { isUserId, type UserId } from '../../shared/foundation/ids'
import type { Log } from '../../shared/foundation/log-entry'
import type { Secret } from '../../shared/foundation/secret'
import type { Credentials } from '../../shared/http/api'
import type { HttpContext } from '../../shared/http/http-client'
import type { ServiceConfig } from '../../shared/service/service-config'
import { identifyPlayer } from '../../shared/tokens/identify-player'
import type { TokenSet } from '../../shared/tokens/token-set'
import type { BackendCaller } from '../budget/backend-caller'
import type { BeforeSend, CallerApi, ServiceBudget } from '../budget/service-budget'
import { type ApplicationTokens, createApplicationTokens, createResponseReader } from './application-tokens'

export interface SessionService {
  readonly tokens: Pick<ApplicationTokens, 'exchangeCode' | 'refresh' | 'revoke'>
  /** Asks whose an access token is, if no ID token says so. */
  readonly identify: (tokens: TokenSet) => Promise<UserId>
  /** The service's API with the tokens of a session. */
  readonly apiAs: (credentials: Credentials, beforeSend: BeforeSend) => CallerApi
}

export interface SessionServiceOptions {
  readonly budget: ServiceBudget
  readonly service: Readonly<ServiceConfig>
  readonly applicationId: string
  readonly clientSecret: Secret
  readonly http: HttpContext
  readonly clock: Clock
  readonly log: Log
}

export function createSessionService({
  budget,
  ...options
}: SessionServiceOptions): (caller: BackendCaller) => SessionService {
  const { service, clock, applicationId: clientId, log } = options
  const reader = createResponseReader(options)
  return (caller) => {
    const api = budget.clientFor(caller)
    return {
      tokens: createApplicationTokens({ ...options, api, reader }),
      async identify(tokens) {
        // The names, for which `identifyPlayer` would ask, are the page's matter.
        const sub = tokens.claims?.sub
        if (isUserId(sub)) return sub
        const verified = { tokens, clientId, asked: [], obtainedAt: clock.now() }
        return (
          await identifyPlayer({ send: (request) => api.sendJson(request), clock, service, log }, verified)
        ).userId
      },
      apiAs: (credentials, beforeSend) => budget.clientFor(caller, { credentials, beforeSend }),
    }
  }
}
