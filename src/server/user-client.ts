/** Client for game backends that acts for a user with the user's token. */
import { UserCommandPermissions } from './commands/permissions/command-permissions'
import { bindMethods, createTyped } from '../shared/foundation/options'
import type { Secret } from '../shared/foundation/secret'
import type { RateLimitUsage } from '../shared/rate-limit/limiter-events'
import { userToken } from './backend-credentials'
import { type Backend, type BackendOptions, createBackend } from './backend-options'
import { ownFields } from '../shared/foundation/untrusted-values'

/** Options of `new UserClient(…)`. */
export interface UserClientOptions extends BackendOptions {
  /**
   * Access token with the scope `applications.commands.permissions.update`, of a user who can manage the guild and its roles
   * (docs/interface/command-permissions.md#who-may-edit).
   */
  accessToken: Secret | string
}

/** Client for game backends that acts for a user: changes command permissions. */
export class UserClient {
  readonly #backend: Backend

  /** @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`; `unsupported` in a page. */
  constructor(options: UserClientOptions) {
    bindMethods(this)
    const { accessToken, ...rest } = createTyped('options', () => ownFields({ ...options }))
    this.#backend = createTyped('options', () => createBackend(rest, userToken(accessToken)))
  }

  /** Command permissions in a guild, readable and writable. */
  commandPermissions(guildId: string): UserCommandPermissions {
    const { api, applicationId } = this.#backend
    return new UserCommandPermissions({ api, applicationId, guildId })
  }

  /** Returns the current usage of every rate limit, for example for a display. */
  limits(): RateLimitUsage[] {
    return this.#backend.limits()
  }

  /**
   * Removes every block caused by a refusal of the service, for all clients that share the store; for an operator after an outage. Sent
   * requests stay counted, and a single request is sent first as a probe.
   */
  clearRateLimitBlocks(): Promise<void> {
    return this.#backend.clearBlocks()
  }

  /** Aborts pending calls and leaves a shared store. Later calls reject with `closed`. */
  close(): void {
    this.#backend.close()
  }
}
