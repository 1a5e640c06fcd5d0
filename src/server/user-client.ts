/** The service as a game's backend sees it, acting for a user who gave it a token. */
import { UserCommandPermissions } from '../commands/permissions/api'
import type { Secret } from '../foundation/secret'
import type { RateLimitUsage } from '../rate-limit/events'
import { userToken } from './credentials'
import { type Backend, type BackendOptions, createBackend } from './options'

/** Options of `new UserClient(…)`. */
export interface UserClientOptions extends BackendOptions {
  /** With the scope `applications.commands.permissions.update`, of a user who may manage the guild and its roles (S:284). */
  accessToken: Secret | string
}

export class UserClient {
  readonly #backend: Backend

  /** @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`. */
  constructor(options: UserClientOptions) {
    const { accessToken, ...rest } = { ...options }
    this.#backend = createBackend(rest, userToken(accessToken))
  }

  /** Who may use the application's commands in a guild. */
  commandPermissions(guildId: string): UserCommandPermissions {
    const { api, applicationId } = this.#backend
    return new UserCommandPermissions({ api, applicationId, guildId })
  }

  /** Every limit in use, for a meter. */
  limits(): RateLimitUsage[] {
    return this.#backend.limits()
  }

  /**
   * Ends every block that a refusal by the service has caused, for all who share the budget: for an operator who knows that the service is
   * well again. What was sent stays counted, and one request tries first.
   */
  clearRateLimitBlocks(): Promise<void> {
    return this.#backend.clearBlocks()
  }

  /** Ends calls that wait or are under way, and leaves a shared budget. Calls reject with `closed` from then on. */
  close(): void {
    this.#backend.close()
  }
}
