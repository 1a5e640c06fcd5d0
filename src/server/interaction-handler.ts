/** The endpoint for interactions, joined to the service by what a token alone allows: no credential, no rate limit (supplement A.5.1). */
import { systemClock } from '../foundation/clock'
import { requireNames } from '../foundation/option-names'
import type { Fetch } from '../http/request'
import { fetchTransport } from '../http/transport'
import { createHandler, type InteractionHandler, type InteractionHandlerBase } from '../interactions/create-handler'
import { createServiceConfig, type ServiceOptions } from '../service/config'
import { createInteractionCalls } from './interaction-calls'

/** Options of `createInteractionHandler(…)`. */
export interface InteractionHandlerOptions extends InteractionHandlerBase {
  /** Which service to call: needed for whatever comes after the first answer, and for slow handlers. */
  service?: ServiceOptions
  /** Default: the platform's `fetch`, taken when the handler is made. */
  fetch?: Fetch
}

const OPTIONS: readonly (keyof InteractionHandlerOptions)[] = [
  'publicKey',
  'commands',
  'service',
  'onComponent',
  'onModal',
  'onError',
  'logger',
  'errorMessage',
  'maxAge',
  'maxBodyBytes',
  'replays',
]

/**
 * The endpoint that the service delivers interactions to. Verifies, answers PING, finds the command, defers what takes long, and answers
 * whatever happens: the function never rejects. There is no way to turn verification off.
 * @throws ConfigurationError `invalid_argument`, `missing_service_host`, `insecure_endpoint`.
 */
export function createInteractionHandler(options: InteractionHandlerOptions): InteractionHandler {
  const { service, clock = systemClock, fetch = globalThis.fetch.bind(globalThis), ...rest } = { ...options }
  requireNames(rest, OPTIONS)
  return createHandler(
    { ...rest, clock },
    service && createInteractionCalls({ transport: fetchTransport(fetch), clock }, createServiceConfig(service)),
  )
}
