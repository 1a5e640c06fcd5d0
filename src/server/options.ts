/** What the clients of a backend have in common. */
import { type Clock, systemClock } from '../foundation/clock'
import { ConfigurationError } from '../foundation/errors'
import { type ApplicationId, toApplicationId } from '../foundation/ids'
import { Api, type Schedule } from '../http/api'
import type { Credentials } from '../http/credentials'
import type { Fetch, HttpContext } from '../http/request'
import { createServiceProfile, type ServiceOptions, type ServiceProfile } from '../service/profile'

/** Options of every client of a backend. */
export interface BackendOptions {
  /** The application's id: a decimal string or a bigint. A number is refused, since it loses digits. */
  applicationId: string | bigint
  /** Which service to talk to: its host, and whatever differs from the defaults. */
  service: ServiceOptions
  /** Default: the platform's `fetch`, taken when the client is made. */
  fetch?: Fetch
  clock?: Clock
  /** ms for one exchange. Default: 30,000. */
  requestTimeout?: number
  /** Decides when each call is sent. Default: at once. */
  schedule?: Schedule
}

/** Makes credentials that can reach the service themselves. */
export type CredentialsSource = (context: HttpContext & { profile: ServiceProfile }) => Credentials

export interface Backend {
  api: Api
  applicationId: ApplicationId
  profile: Readonly<ServiceProfile>
}

/** @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`. */
export function createBackend(options: BackendOptions, source: CredentialsSource): Backend {
  const { clock = systemClock, requestTimeout: timeout = 30_000, schedule, fetch = globalThis.fetch.bind(globalThis) } = options
  const applicationId = toApplicationId(options.applicationId)
  if (!applicationId) throw new ConfigurationError('invalid_argument', 'applicationId')
  const profile = createServiceProfile(options.service)
  const credentials = source({ fetch, clock, profile })
  return { api: new Api({ fetch, clock, profile, credentials, timeout, schedule }), applicationId, profile }
}
