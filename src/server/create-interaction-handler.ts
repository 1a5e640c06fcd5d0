/** Interactions endpoint with its calls to the service, which need no credentials (docs/interface/interactions.md#delivery). */
import { AbortGroup } from '../shared/foundation/async'
import { systemClock } from '../shared/foundation/clock'
import { fetchTransport, type Fetch } from '../shared/http/http-client'
import { takeOptions } from '../shared/foundation/take-options'
import {
  createHandler,
  type InteractionHandler,
  type InteractionHandlerBase,
} from './interactions/create-handler'
import { createServiceConfig, type ServiceOptions } from '../shared/service/service-config'
import { createInteractionCalls } from './create-interaction-calls'

/** Options of `createInteractionHandler(…)`. */
export interface InteractionHandlerOptions extends InteractionHandlerBase {
  /**
   * Service for calls after the first response. Default: none; slow handlers then fail with `too_slow`, and later responses with
   * `service_missing`.
   */
  service?: ServiceOptions | undefined
  /** HTTP client. Default: the platform's `fetch` at construction time. */
  fetch?: Fetch | undefined
}

const OPTIONS: readonly (keyof InteractionHandlerOptions)[] = [
  'publicKey',
  'commands',
  'modals',
  'service',
  'onComponent',
  'onModal',
  'onError',
  'logger',
  'errorMessage',
  'visibility',
  'deferAfter',
  'maxAge',
  'maxBodyBytes',
  'replays',
  'fetch',
  'clock',
]

/**
 * Creates the endpoint that the service delivers interactions to. It verifies requests, responds to PING, runs the command's handler,
 * defers slow handlers, and responds in any case: the function never rejects. Verification cannot be turned off.
 *
 * @throws ConfigurationError `invalid_argument`, `missing_service_host`, `insecure_endpoint`.
 * @example
 * ```ts
 * const handler = createInteractionHandler({
 *   publicKey: process.env.FOYER_PUBLIC_KEY,
 *   commands: [defineCommand({ name: 'ping', description: 'Replies with pong' }, () => 'pong')],
 *   service: { host: 'https://service.example' },
 * })
 * createServer(toNodeListener(handler)).listen(8080)
 * ```
 */
export function createInteractionHandler(options: InteractionHandlerOptions): InteractionHandler {
  const given = takeOptions(options, OPTIONS)
  const { service, clock = systemClock, fetch = globalThis.fetch.bind(globalThis) } = given
  return createHandler(
    Object.assign(given, { clock }),
    service &&
      createInteractionCalls(
        { transport: fetchTransport(fetch), clock, abortGroup: new AbortGroup() },
        createServiceConfig(service),
      ),
  )
}
